import type { VNode } from "preact";

/** As `htm` says it, but for a module that Node would read as CommonJS. */
declare const htm: {
  bind<Result = VNode>(create: (...all: never[]) => Result): (strings: TemplateStringsArray, ...values: unknown[]) => Result;
};
export default htm;

/** A saved prompt that is to be run, as plain JSON. */

export interface PromptValue {
  readonly variable_id: number;
  /** What people know the variable by. */
  readonly name: string;
  readonly value: string;
}

export interface PromptOrder {
  /** The numeric ID. */
  readonly id: number;
  readonly name: string;
  /** A variable that is not among them has its default. */
  readonly values: readonly PromptValue[];
}

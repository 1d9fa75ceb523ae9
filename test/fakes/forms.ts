/** Forms for adapters that are tested without the core. */
import type { Directory } from "../../src/core/commands/types.ts";
import type { Form } from "../../src/core/forms.ts";
import type { Place } from "../../src/core/place.ts";

export const noForms: Pick<Directory, "form" | "formOf"> = {
  form: () => Promise.resolve(undefined),
  formOf: () => Promise.resolve(undefined),
};

/** A directory that has these forms, for one person. */
export const formsFor = (person: string, forms: ReadonlyMap<string, Form>): Pick<Directory, "form" | "formOf"> => ({
  ...noForms,
  form: (id, who) => Promise.resolve(who.id === person ? forms.get(id) : undefined),
});

/** A form with a field of each kind that platforms show differently. */
export const sampleForm = (place: Place): Form => ({
  id: "0f0e0d0c0b0a",
  title: "Order tea",
  submit: "Order",
  place,
  fields: [
    {
      name: "tea",
      label: "Which tea",
      type: "choice",
      required: true,
      choices: [
        { value: "green", label: "Green tea" },
        { value: "black", label: "Black tea" },
      ],
      value: "black",
    },
    {
      name: "extras",
      label: "With",
      type: "choices",
      required: false,
      choices: [
        { value: "milk", label: "Milk" },
        { value: "honey", label: "Honey" },
        { value: "lemon", label: "Lemon" },
      ],
      value: ["honey"],
    },
    { name: "cups", label: "Cups", help: "As a number", type: "number", required: true },
    { name: "card", label: "Card number", type: "secret", required: true },
    { name: "note", label: "Anything else", type: "long", required: false, value: "not too hot", max: 200 },
  ],
});

/** The page's routes of forms. */
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { FormValues } from "../../src/core/forms.ts";
import type { FormSending } from "./form-sending.ts";

/** Every field of the longest form at its longest. */
const mostBytes = 1024 * 1024;
const isId = (value: unknown): value is string => typeof value === "string" && /^[\w-]{8,64}$/.test(value);

/** Undefined unless every value is a text, or a list of texts. */
function valuesOf(given: unknown): FormValues | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const isText = (value: unknown): boolean => typeof value === "string";
  const isValue = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText));
  return Object.values(given).every(isValue) ? (given as FormValues) : undefined;
}

export function createFormRoutes(sending: FormSending): Hono {
  const routes = new Hono();
  routes.use(bodyLimit({ maxSize: mostBytes, onError: (c) => c.json({ error: "Too much to send in one form." }, 413) }));

  routes.get("/:id", async (c) => {
    const form = await sending.form(c.req.param("id"));
    return "error" in form ? c.json({ error: form.error }, form.status) : c.json({ form });
  });

  routes.post("/:id", async (c) => {
    const body: unknown = await c.req.json().catch(() => null);
    const { id, values: given } = (body ?? {}) as { id?: unknown; values?: unknown };
    const values = valuesOf(given);
    if (!isId(id)) return c.json({ error: "Not understood: expected id to be 8 to 64 letters, digits, - or _." }, 400);
    if (values === undefined) return c.json({ error: "Not understood: expected values to be texts by field name." }, 400);
    const sent = await sending.submit(id, c.req.param("id"), values);
    if (sent === "sent") return c.json({}, 202);
    return "problems" in sent ? c.json({ problems: sent.problems }, 200) : c.json({ error: sent.error }, sent.status);
  });
  return routes;
}

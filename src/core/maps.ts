/** The maps that the core keeps; keyv meets them. A failed read throws, so that it never looks like "not found". */

export interface KeyValueMap<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

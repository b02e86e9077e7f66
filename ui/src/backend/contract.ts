/** A JSON Schema object in the dialect that forms are drawn from. */
export type JsonSchema = Record<string, unknown>;

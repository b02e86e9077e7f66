import type { Unit } from './durations';
import type { TemplateInfo, TemplateVariable } from './types';

/**
 * The keywords of a schema that leaf controls read. A plugin may bring any
 * JSON: what is not of the promised shape counts as not there.
 */

function keyword(schema: object, name: string): unknown {
  return Object.hasOwn(schema, name) ? (schema as Record<string, unknown>)[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The field's label, where a control names a part of itself by it. */
export function title(schema: object): string {
  return text(keyword(schema, 'title'));
}

/** The first example, shown while nothing is entered. */
export function placeholder(schema: object): string | undefined {
  const examples = keyword(schema, 'examples');
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/** What a number counts in. */
export function unit(schema: object): Unit {
  const name = keyword(schema, 'x-berth-unit');
  return name === 's' || name === 'min' ? name : 'ms';
}

/** Whether the document holds digits as a string. */
export function isString(schema: object): boolean {
  const type = keyword(schema, 'type');
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

export function isMultiline(schema: object): boolean {
  return keyword(schema, 'x-berth-multiline') === true || isJsonText(schema);
}

/** A string that holds JSON. */
export function isJsonText(schema: object): boolean {
  return keyword(schema, 'contentMediaType') === 'application/json';
}

/** Which variables a template may name. */
export function templateInfo(schema: object): TemplateInfo {
  const info = keyword(schema, 'x-berth-template');
  if (!isRecord(info)) return { variables: [], open: [] };
  const { variables, open } = info;
  return {
    variables: (Array.isArray(variables) ? variables : [])
      .filter(isRecord)
      .flatMap(({ name, description, sample }): TemplateVariable[] =>
        typeof name === 'string'
          ? [{ name, description: text(description), sample: text(sample) }]
          : [],
      ),
    open: (Array.isArray(open) ? open : []).filter((prefix) => typeof prefix === 'string'),
  };
}

/** A loaded document may hold anything where a text belongs; it is shown, and the validator speaks. */
export function shownText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

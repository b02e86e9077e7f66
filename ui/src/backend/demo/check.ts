import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import type { JsonSchema } from '../contract';
import type { DocumentCheck, Issue, IssueRequirement } from '../../generated/types';

type Path = (string | number)[];
type Fault = Pick<Issue, 'path' | 'kind' | 'message' | 'requirement'>;
type Values = Record<string, unknown>;

/**
 * Stands in for Berth's own validator where there is no Berth. It knows the
 * dialect of the contract's schemas, trims nothing and drops nothing.
 */
export function demoCheck(schema: JsonSchema, text: string): DocumentCheck {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors);
  const [error] = errors;
  if (error || !root) {
    const why = error ? printParseErrorCode(error.error) : 'nothing is written yet';
    const fault = {
      path: [],
      kind: 'json',
      message: `This is not JSON: ${why}.`,
      requirement: null,
    };
    const issue: Issue = { ...fault, pointer: '', ...place(text, error?.offset ?? 0) };
    return { verdict: 'unreadable', output: null, issues: [issue], omitted: 0 };
  }
  const value: unknown = JSON.parse(text);
  const issues = faults(schema, schema, value, []).map((fault): Issue => {
    const path = fault.kind === 'missing' ? fault.path.slice(0, -1) : fault.path;
    const node = findNodeAtLocation(root, path);
    return {
      ...fault,
      pointer: fault.path.map((key) => `/${escaped(key)}`).join(''),
      ...(node ? place(text, node.offset) : { line: null, column: null }),
    };
  });
  return issues.length > 0
    ? { verdict: 'invalid', output: null, issues, omitted: 0 }
    : { verdict: 'valid', output: JSON.stringify(value, null, 2), issues, omitted: 0 };
}

const escaped = (key: string | number) => String(key).replace(/~/g, '~0').replace(/\//g, '~1');

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fits(type: string, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeOf(value);
}

function faults(root: JsonSchema, given: unknown, value: unknown, path: Path): Fault[] {
  if (!isObject(given)) return [];
  const schema = { ...resolved(root, given) };
  const fault = (kind: string, message: string, requirement: IssueRequirement | null = null) => [
    { path, kind, message, requirement },
  ];
  const { type, oneOf, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const found = anyOf.map((branch) => faults(root, branch, value, path));
    return found.find(({ length }) => length === 0) ?? found[0] ?? [];
  }
  if (Array.isArray(oneOf)) {
    if (!isObject(value)) return fault('type', 'Choose one.', 'object');
    const branch = chosen(root, oneOf, value);
    return branch ? faults(root, branch, value, path) : fault('variant', 'Choose one.');
  }
  const types = Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [];
  if (types.length > 0 && !types.some((one) => fits(one, value))) {
    return fault('type', `This must be a ${types.join(' or ')}.`, types.join(' or '));
  }
  const { not } = schema;
  if (not !== undefined && faults(root, not, value, path).length === 0) {
    return fault('check', 'This is taken by something that is built in.');
  }
  if ('const' in schema && value !== schema['const']) {
    return fault('literal', `This must be ${JSON.stringify(schema['const'])}.`);
  }
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) {
    return fault('picklist', 'This must be one of the choices.');
  }
  if (typeof value === 'string') return textFaults(schema, value, fault);
  if (typeof value === 'number') {
    const { minimum, maximum } = schema;
    if (typeof minimum === 'number' && value < minimum)
      return fault('min_value', `This must be at least ${minimum}.`, minimum);
    if (typeof maximum === 'number' && value > maximum)
      return fault('max_value', `This must be at most ${maximum}.`, maximum);
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => faults(root, schema['items'], item, [...path, i]));
  }
  return isObject(value) ? objectFaults(root, schema, value, path) : [];
}

function textFaults(
  schema: Values,
  value: string,
  fault: (kind: string, message: string, requirement?: IssueRequirement) => Fault[],
): Fault[] {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && value.length < minLength)
    return fault('min_length', 'This must not be empty.', minLength);
  if (typeof maxLength === 'number' && value.length > maxLength)
    return fault('max_length', `This must be at most ${maxLength} characters.`, maxLength);
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    return fault('regex', 'This holds a character that is not allowed here.', pattern);
  return [];
}

function objectFaults(root: JsonSchema, schema: Values, value: Values, path: Path): Fault[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const own = [...new Set([...Object.keys(properties), ...Object.keys(value)])].flatMap((key) => {
    const at = [...path, key];
    if (Object.hasOwn(value, key)) {
      const known = Object.hasOwn(properties, key);
      const inner = known ? properties[key] : schema['additionalProperties'];
      return faults(root, inner, value[key], at);
    }
    return required.has(key)
      ? [{ path: at, kind: 'missing', message: 'This must be filled in.', requirement: key }]
      : [];
  });
  return [...own, ...partFaults(root, schema, value, path)];
}

/** What `x-berth-form` says of parts that the schema itself leaves open. */
function partFaults(root: JsonSchema, schema: Values, value: Values, path: Path): Fault[] {
  const form = schema['x-berth-form'];
  const show = isObject(form) && Array.isArray(form['show']) ? (form['show'] as unknown[]) : [];
  return show.flatMap((part) => {
    if (!isObject(part) || typeof part['at'] !== 'string' || !part['schema']) return [];
    const steps = part['at'].split('/').slice(1);
    const inner = steps.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
    return inner === undefined ? [] : faults(root, part['schema'], inner, [...path, ...steps]);
  });
}

function resolved(root: JsonSchema, schema: Values): Values {
  const { $ref: ref, ...rest } = schema;
  if (typeof ref !== 'string' || !ref.startsWith('#/$defs/')) return schema;
  const definitions = root['$defs'];
  const target = isObject(definitions) ? definitions[ref.slice('#/$defs/'.length)] : undefined;
  return isObject(target) ? { ...resolved(root, target), ...rest } : rest;
}

/** The branch whose constants the value has; a branch without any fits what is left. */
function chosen(root: JsonSchema, branches: unknown[], value: Values): unknown {
  const score = (branch: unknown): number => {
    if (!isObject(branch)) return -1;
    const { properties } = resolved(root, branch);
    const constants = Object.entries(isObject(properties) ? properties : {}).filter(
      ([, inner]) => isObject(inner) && 'const' in inner,
    );
    if (constants.length === 0) return 0;
    return constants.every(([key, inner]) => value[key] === (inner as Values)['const']) ? 1 : -1;
  };
  const best = branches.toSorted((a, b) => score(b) - score(a))[0];
  return score(best) < 0 ? undefined : best;
}

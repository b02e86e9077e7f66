import { count } from './format';
import type { Trouble } from '../form/model/outline';

/** In the middle of a sentence: `Header` is written `header`, `URL` stays. */
function inSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

/** What a form says besides the schema's own words. */
export const form = {
  required: 'required',
  untitled: 'Document',

  summary: {
    title: (n: number) => count(n, 'problem'),
    empty: (n: number) =>
      n === 1 ? 'One required field is still empty.' : `${n} required fields are still empty.`,
    goToEmpty: 'Go to the first',
    more: (n: number) => `Show ${n} more`,
    omitted: (n: number) => `and ${n} more that are not listed`,
    hidden: 'Something is missing that this form does not show.',
    fill: 'Fill it in',
    filled: 'Filled in',
    label: 'What is wrong with this document',
    within: (trail: readonly string[]) => trail.join(' › '),
  },

  trouble: (trouble: Trouble): string => {
    switch (trouble.kind) {
      case 'comma':
        return 'Write decimals with a point and thousands without a mark, as in 1500.5.';
      case 'notANumber':
        return 'This is not a number.';
      case 'tooLarge':
        return 'This number is too large to be stored.';
      case 'notWhole':
        return 'Only whole numbers can be used here.';
      case 'rounded':
        return `This has more digits than can be kept. It is stored as ${trouble.to}.`;
      case 'unfinished':
        return 'What is typed here cannot be read yet.';
      case 'keyMissing':
        return 'Name this row, or remove it. Without a name it is not in the document.';
      case 'keyTwice':
        return 'This name is used by a row above. Only the first is in the document.';
    }
  },
  deeper: (path: string, message: string) => `${path}: ${message}`,

  section: {
    add: (name: string) => `Add ${inSentence(name)}`,
    remove: (name: string) => `Remove ${inSentence(name)}`,
    addShort: 'Add',
    removeShort: 'Remove',
    added: (name: string) => `${name} added`,
    removed: (name: string) => `${name} removed`,
    nothing: 'Nothing to set here.',
  },

  choice: {
    choose: 'Choose…',
    none: 'Not set',
    noneBut: (value: string) => `Not set (${value})`,
  },

  list: {
    item: (name: string, n: number) => `${name || 'Item'} ${n}`,
    add: (name: string) => `Add ${inSentence(name || 'item')}`,
    remove: (what: string) => `Remove ${inSentence(what)}`,
    up: (what: string) => `Move ${inSentence(what)} up`,
    down: (what: string) => `Move ${inSentence(what)} down`,
    added: (what: string) => `${what} added`,
    removed: (what: string) => `${what} removed`,
    moved: (what: string, n: number, of: number) => `${what} is now ${n} of ${of}`,
  },

  more: {
    before: (n: number, of: number) => `Show ${n} before (of ${of})`,
    after: (n: number, of: number) => `Show ${n} more (of ${of})`,
  },

  record: {
    key: 'Name',
    value: 'Value',
    keyOf: (n: number) => `Name, row ${n}`,
    /** Of several rows with the same name each is told by its number. */
    valueOf: (key: string, n: number, several: boolean) =>
      key === '' ? `Value, row ${n}` : several ? `Value of ${key}, row ${n}` : `Value of ${key}`,
    add: (name: string) => `Add to ${name}`,
    remove: (key: string, n: number, several: boolean) =>
      key === '' ? `Remove row ${n}` : several ? `Remove ${key}, row ${n}` : `Remove ${key}`,
    added: 'Row added',
    removed: 'Row removed',
  },

  nullable: { none: 'No value' },

  misfit: {
    note: 'The form has no field for this value. It is kept as it is, and can be changed as JSON.',
    use: 'Use the form’s fields',
    replace: 'Start over with the form’s fields',
  },
};

import { count } from './format';

/** The strings of the page that documents are written on. */
export const documents = {
  title: 'Documents',
  subtitle: 'What describes your handlers, services and runners',
  add: 'New document',
  list: 'Stored documents',
  filter: 'Filter by name or kind',
  columns: { name: 'Name', kind: 'Kind', updated: 'Updated', actions: 'Actions' },
  loading: 'Reading the documents',
  emptyTitle: 'No document yet',
  empty:
    'A document says how environments are made: an HTTP API, a cluster, a Compose project, a pool of runners. Start one from an example, or bring one you have.',
  noMatch: (query: string) => `No document or kind is called “${query}”.`,
  unknownKind: (name: string) => `${name} (unknown to this Berth)`,

  kinds: 'Kinds of documents',
  kindFilter: 'Filter kinds',
  noKind: (query: string) => `No kind is called “${query}”.`,
  pickKind: 'Pick a kind to see what you can start from.',
  startFrom: 'Start from',
  blank: 'Empty',
  blankHint: 'Every field is yours to fill in.',
  fromFile: 'A file',
  fromFileHint: 'JSON that you have already.',
  fromPaste: 'The clipboard',
  fromPasteHint: 'JSON that you copied somewhere.',
  notKept:
    'Berth checks and exports documents of this kind. It keeps none, because they carry secret values.',
  kindGone: 'This Berth knows no such kind of document.',

  opening: 'Opening the document',
  name: 'Document name',
  backToList: 'Back to the documents',
  view: { label: 'Show', form: 'Form', json: 'JSON', both: 'Both' },
  save: 'Save',
  saving: 'Saving',
  saved: (name: string) => `${name} is saved`,
  state: {
    fresh: 'Not saved yet',
    unsaved: 'Unsaved changes',
    saved: 'Saved',
    notKept: 'Not kept by Berth',
  },
  checked: {
    checking: 'Checking',
    valid: 'No problems',
    problems: (n: number) => count(n, 'problem'),
    unfinished: 'Something typed cannot be read yet',
    waiting: (n: number) => `${count(n, 'field')} to fill in`,
    unreadable: 'Not readable as JSON',
    failed: 'Could not be checked',
  },
  unreadable: {
    title: 'The text cannot be read as JSON.',
    form: 'The form shows the last version that could be read, and waits until the text can be read again.',
    revert: 'Go back to that version',
  },
  formLabel: 'Form',
  jsonLabel: 'Document as JSON',

  tools: 'Document actions',
  paste: 'Paste',
  import: 'Import',
  export: 'Export',
  copy: 'Copy',
  copied: 'The document is on the clipboard',
  exported: (path: string) => `Exported to ${path}`,
  imported: (name: string) => `${name} is loaded, not saved yet`,
  pasted: 'Pasted, not saved yet',

  secretText: {
    some: 'The JSON of this document holds secret values in clear text.',
    perhaps: 'The JSON of this document may hold secret values in clear text.',
    show: 'Show it',
    copyTitle: 'Copy secret values?',
    exportTitle: 'Export secret values?',
    copy: 'Copy it',
    export: 'Export it',
  },

  tooLarge: (bytes: number, most: number) =>
    `The document has ${bytes} bytes; at most ${most} are edited here. “berth validate” checks larger ones.`,

  pasteTitle: 'Paste a document',
  pasteBody: (keys: string) => `Press ${keys}: what is on the clipboard is put here.`,
  pasteField: 'Text to paste',
  pasteUse: 'Use this text',

  replaceTitle: 'Replace what you wrote?',
  replaceBody:
    'The document has changes that are not saved. They are lost when other text takes their place.',
  replace: 'Replace',

  leaveTitle: 'Leave without saving?',
  leaveBody: (name: string) => `The changes to ${name} are not saved.`,
  leaveStay: 'Keep writing',
  leaveDiscard: 'Discard the changes',
  leaveSave: 'Save and leave',

  remove: (name: string) => `Delete ${name}`,
  removeShort: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeBody:
    'The document goes, with the secret values that were typed in for it. Files you exported stay.',
  removeSecrets: (keys: string) => `Secrets that go: ${keys}`,
  removed: (name: string) => `${name} is deleted`,

  newOf: (kind: string) => `New document: ${kind}`,
  open: (name: string) => `Document ${name}`,
};

import type { StepKind, StepState } from '../generated/types';

type Forms = Record<Exclude<StepState, 'skipped'>, string>;
type Worded = { [T in StepKind['type']]: (kind: Extract<StepKind, { type: T }>) => Forms };

function forms(todo: string, doing: string, done: string, failed: string): Forms {
  return { waiting: todo, running: doing, done, failed };
}

const words: Worded = {
  read: () =>
    forms('Read the files', 'Reading the files', 'Read the files', 'Could not read the files'),
  plan: () =>
    forms(
      'Decide what to do',
      'Deciding what to do',
      'Decided what to do',
      'Could not decide what to do',
    ),
  pull: ({ image }) =>
    forms(`Pull ${image}`, `Pulling ${image}`, `Pulled ${image}`, `Could not pull ${image}`),
  build: ({ service }) =>
    forms(
      `Build ${service}`,
      `Building ${service}`,
      `Built ${service}`,
      `${service} did not build`,
    ),
  createNetwork: ({ name }) =>
    forms(
      `Create network ${name}`,
      `Creating network ${name}`,
      `Created network ${name}`,
      `Could not create network ${name}`,
    ),
  createVolume: ({ name }) =>
    forms(
      `Create volume ${name}`,
      `Creating volume ${name}`,
      `Created volume ${name}`,
      `Could not create volume ${name}`,
    ),
  create: ({ service }) =>
    forms(
      `Create ${service}`,
      `Creating ${service}`,
      `Created ${service}`,
      `Could not create ${service}`,
    ),
  start: ({ service }) =>
    forms(
      `Start ${service}`,
      `Starting ${service}`,
      `Started ${service}`,
      `Could not start ${service}`,
    ),
  waitHealthy: ({ service }) =>
    forms(
      `Wait for ${service} to be healthy`,
      `Waiting for ${service} to be healthy`,
      `${service} is healthy`,
      `${service} did not become healthy`,
    ),
  waitCompleted: ({ service }) =>
    forms(
      `Wait for ${service} to finish`,
      `Waiting for ${service} to finish`,
      `${service} finished`,
      `${service} did not finish well`,
    ),
  reach: ({ url }) => {
    const address = url.replace(/^https?:\/\//, '');
    return forms(
      'Reach the URL',
      'Waiting for the URL to answer',
      `${address} answers`,
      `${address} does not answer`,
    );
  },
  remove: ({ container }) =>
    forms(
      `Remove container ${container}`,
      `Removing container ${container}`,
      `Removed container ${container}`,
      `Could not remove container ${container}`,
    ),
  removeNetwork: ({ name }) =>
    forms(
      `Remove network ${name}`,
      `Removing network ${name}`,
      `Removed network ${name}`,
      `Could not remove network ${name}`,
    ),
  removeVolume: ({ name }) =>
    forms(
      `Remove volume ${name}`,
      `Removing volume ${name}`,
      `Removed volume ${name}`,
      `Could not remove volume ${name}`,
    ),
  removeImage: ({ image }) =>
    forms(
      `Remove image ${image}`,
      `Removing image ${image}`,
      `Removed image ${image}`,
      `Could not remove image ${image}`,
    ),
  removeCheckout: () =>
    forms(
      'Remove the checkout',
      'Removing the checkout',
      'Removed the checkout',
      'Could not remove the checkout',
    ),
  verify: () =>
    forms(
      'Check that everything is gone',
      'Checking that everything is gone',
      'Everything is gone',
      'Something is still there',
    ),
  takeBack: () =>
    forms(
      'Take back what was made',
      'Taking back what was made',
      'Took back what was made',
      'Could not take back what was made',
    ),
};

/** The kinds of step that have words; all of them, or this does not compile. */
export const stepTypes = Object.keys(words) as StepKind['type'][];

/** What a step does, did or failed to do. */
export function stepWords(kind: StepKind, state: StepState): string {
  // The table pairs each type with its own kind; TypeScript cannot see that across the index.
  const word = words[kind.type] as ((kind: StepKind) => Forms) | undefined;
  // A newer core may know a step that this page does not.
  if (!word) return kind.type;
  return word(kind)[state === 'skipped' ? 'waiting' : state];
}

/** The same inside a sentence: `waiting for db to be healthy`. Names keep their case. */
export function stepInSentence(kind: StepKind, state: StepState): string {
  const words = stepWords(kind, state);
  const startsWithName = 'service' in kind && words.startsWith(kind.service);
  return startsWithName ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

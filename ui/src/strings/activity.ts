import type { ActivityVerb, Actor, Outcome } from '../generated/types';

/** The strings of the page that says what was done. */
export const activity = {
  title: 'Activity',
  subtitle: 'What was done, newest first',
  empty:
    'Nothing has been done yet. Everything that is started, extended or torn down is noted here.',
  more: 'Show older',
  end: 'That is all of it.',
  done: {
    service_added: { success: 'Added', failure: 'Could not add', cancelled: 'Stopped adding' },
    service_changed: {
      success: 'Changed',
      failure: 'Could not change',
      cancelled: 'Stopped changing',
    },
    service_removed: {
      success: 'Removed',
      failure: 'Could not remove',
      cancelled: 'Stopped removing',
    },
    up: {
      success: 'Brought up',
      failure: 'Could not bring up',
      cancelled: 'Stopped bringing up',
    },
    down: {
      success: 'Tore down',
      failure: 'Could not tear down',
      cancelled: 'Stopped tearing down',
    },
    extended: {
      success: 'Changed the time of',
      failure: 'Could not change the time of',
      cancelled: 'Stopped changing the time of',
    },
    expired: {
      success: 'Time was over, removed',
      failure: 'Time was over, could not remove',
      cancelled: 'Time was over, stopped removing',
    },
    taken_back: {
      success: 'Took back what was cut off in',
      failure: 'Could not take back what was cut off in',
      cancelled: 'Stopped taking back',
    },
    handler_set: {
      success: 'Saved the handler',
      failure: 'Could not save the handler',
      cancelled: 'Stopped saving the handler',
    },
    handler_removed: {
      success: 'Removed the handler',
      failure: 'Could not remove the handler',
      cancelled: 'Stopped removing the handler',
    },
    secrets_changed: {
      success: 'Changed secrets of',
      failure: 'Could not change secrets of',
      cancelled: 'Stopped changing secrets of',
    },
    override_set: {
      success: 'Saved an override',
      failure: 'Could not save an override',
      cancelled: 'Stopped saving an override',
    },
    override_on: {
      success: 'Switched on an override',
      failure: 'Could not switch on an override',
      cancelled: 'Stopped switching on an override',
    },
    override_off: {
      success: 'Switched off an override',
      failure: 'Could not switch off an override',
      cancelled: 'Stopped switching off an override',
    },
    override_removed: {
      success: 'Reset an override',
      failure: 'Could not reset an override',
      cancelled: 'Stopped resetting an override',
    },
    imported: {
      success: 'Imported a workspace file',
      failure: 'Could not import a workspace file',
      cancelled: 'Stopped importing a workspace file',
    },
  } satisfies Record<ActivityVerb, Record<Outcome, string>>,
  actor: {
    window: 'in the window',
    command_line: 'on the command line',
    berth: 'by Berth',
  } satisfies Record<Actor, string>,
  today: 'Today',
  yesterday: 'Yesterday',
};

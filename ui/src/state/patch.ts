import type { Change, Environment, EnvironmentDetail, Operation, Step } from '../generated/types';

type StepChange = Extract<Change, { type: 'step' }>;

/** The operation with that step as it is now; steps it did not know yet come last. */
export function withStep(operation: Operation, step: Step): Operation {
  const at = operation.steps.findIndex(({ key }) => key === step.key);
  const steps = at < 0 ? [...operation.steps, step] : operation.steps.with(at, step);
  return { ...operation, steps };
}

/** The environment with a step of its latest operation changed; itself when the step is of another one. */
export function environmentWithStep(environment: Environment, change: StepChange): Environment {
  const { operation } = environment;
  if (environment.id !== change.environment || operation?.id !== change.operation) {
    return environment;
  }
  return { ...environment, operation: withStep(operation, change.step) };
}

/** The same for what the detail pane shows. */
export function detailWithStep(detail: EnvironmentDetail, change: StepChange): EnvironmentDetail {
  if (detail.environment.id !== change.environment) return detail;
  return {
    ...detail,
    environment: environmentWithStep(detail.environment, change),
    operations: detail.operations.map((operation) =>
      operation.id === change.operation ? withStep(operation, change.step) : operation,
    ),
  };
}

/** The list with that environment in place of its former self, or added. */
export function withEnvironment(list: Environment[], environment: Environment): Environment[] {
  const at = list.findIndex(({ id }) => id === environment.id);
  return at < 0 ? [environment, ...list] : list.with(at, environment);
}

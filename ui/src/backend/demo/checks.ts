import type {
  CheckUpdate,
  CheckVerdict,
  ConnectionCheck,
  HandlerConfig,
} from '../../generated/types';
import type { Stop } from '../backend';

type Outcome = Pick<ConnectionCheck, 'key' | 'title'> &
  Partial<ConnectionCheck> & { verdict: CheckVerdict };

const PASSED: CheckVerdict = { state: 'passed' };

const docker: Outcome[] = [
  {
    key: 'socket',
    title: 'The socket is there',
    verdict: PASSED,
    durationMs: 2,
    detail: 'unix:///home/me/.colima/big/docker.sock, as the handler says.',
  },
  { key: 'reachable', title: 'The engine answers', verdict: PASSED, durationMs: 8 },
  {
    key: 'permission',
    title: 'Berth may use it',
    verdict: PASSED,
    durationMs: 3,
    detail: 'Without sudo.',
  },
  {
    key: 'version',
    title: 'Its API is new enough',
    verdict: PASSED,
    durationMs: 6,
    facts: [
      { name: 'Engine', value: '28.5.2' },
      { name: 'API', value: '1.24 to 1.51' },
    ],
  },
  {
    key: 'platform',
    title: 'Platform',
    verdict: PASSED,
    durationMs: 1,
    detail: 'linux/amd64, the same as this machine.',
  },
  {
    key: 'storage',
    title: 'Room for images',
    verdict: { state: 'warned' },
    durationMs: 34,
    detail: '3.1 GB are free on the engine’s disk; images of this size need more.',
    facts: [{ name: 'Free', value: '3.1 of 60 GB' }],
    hint: 'Remove what no container uses any more.',
    command: 'docker system prune',
  },
  {
    key: 'addressPools',
    title: 'Addresses for networks',
    verdict: PASSED,
    durationMs: 5,
    detail: '28 of 31 are free.',
  },
];

const cluster: Outcome[] = [
  {
    key: 'resolves',
    title: 'Name resolves',
    verdict: PASSED,
    durationMs: 8,
    detail: 'k8s.acme.dev → 10.20.0.14',
  },
  { key: 'tcp', title: 'Answers on port 6443', verdict: PASSED, durationMs: 21 },
  {
    key: 'tls',
    title: 'TLS certificate',
    verdict: { state: 'warned' },
    durationMs: 34,
    detail: 'Trusted by the CA given; expires in 9 days.',
  },
  {
    key: 'login',
    title: 'Logged in',
    verdict: PASSED,
    durationMs: 40,
    detail: 'As system:serviceaccount:berth:previews.',
  },
  { key: 'version', title: 'Version', verdict: PASSED, durationMs: 6, detail: 'Kubernetes 1.33.2' },
  {
    key: 'permissions',
    title: 'Permissions',
    verdict: { state: 'failed' },
    durationMs: 160,
    detail: '11 of 12 granted. Missing: delete namespaces.',
    hint: 'Berth could start previews but never remove them. Grant it.',
    command:
      'kubectl create clusterrolebinding berth-previews --clusterrole=berth --serviceaccount=berth:previews',
  },
  { key: 'ingress', title: 'Ingress class', verdict: { state: 'skipped', because: 'permissions' } },
  {
    key: 'scratch',
    title: 'Scratch namespace',
    verdict: { state: 'skipped', because: 'permissions' },
  },
];

const whole = (outcome: Outcome, verdict: CheckVerdict): ConnectionCheck => ({
  key: outcome.key,
  title: outcome.title,
  verdict,
  durationMs: null,
  detail: null,
  facts: [],
  hint: null,
  command: null,
});

/** Plays a ladder of checks, one after the other. */
export function playChecks(config: HandlerConfig, onUpdate: (update: CheckUpdate) => void): Stop {
  const outcomes = config.engine === 'local-docker' ? docker : cluster;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (action: () => void, ms: number) => (timer = setTimeout(action, ms));
  const check = (at: number) => {
    const outcome = outcomes[at];
    if (!outcome) {
      const passed = outcomes.every(({ verdict }) => verdict.state !== 'failed');
      onUpdate({ type: 'finished', passed });
      return;
    }
    const answer = () => {
      onUpdate({ type: 'changed', check: { ...whole(outcome, outcome.verdict), ...outcome } });
      check(at + 1);
    };
    if (outcome.verdict.state === 'skipped') {
      answer();
      return;
    }
    onUpdate({ type: 'changed', check: whole(outcome, { state: 'running' }) });
    later(answer, 40 + (outcome.durationMs ?? 0));
  };
  later(() => {
    onUpdate({
      type: 'expected',
      checks: outcomes.map((outcome) => whole(outcome, { state: 'waiting' })),
    });
    check(0);
  }, 0);
  return () => clearTimeout(timer);
}

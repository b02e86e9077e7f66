import type { LogBatch, LogLine } from '../../generated/types';
import type { Stop } from '../backend';
import { problem } from '../problem';

const said: [string, string, boolean][] = [
  ['db', 'database system is ready to accept connections', false],
  ['web', 'listening on 0.0.0.0:8080', false],
  ['web', '\u001b[32mGET\u001b[0m /healthz \u001b[1m200\u001b[0m 2ms', false],
  ['web', '\u001b[33mPOST\u001b[0m /checkout \u001b[1m201\u001b[0m 31ms', false],
  ['db', 'checkpoint starting: time', false],
  ['mail', 'accepted connection from 172.20.0.3', false],
  ['web', '\u001b[31merror: card declined (test)\u001b[0m', true],
  ['seed', 'seeding  10%\rseeding  55%\rseeding 100%', false],
];

/** What the containers of a made-up environment write. */
export function demoLogs(
  scenario: string,
  environmentId: string,
  onBatch: (batch: LogBatch) => void,
): Stop {
  const now = Date.now();
  const line = (i: number): LogLine => {
    const [service, text, stderr] = said[i % said.length] ?? ['web', '', false];
    return {
      service,
      container: `${environmentId}-${service}-1`,
      at: now - 60_000 + i * 377,
      stderr,
      text,
    };
  };
  const batch = (lines: LogLine[], more: Partial<LogBatch> = {}): void =>
    onBatch({ lines, skipped: 0, end: null, ...more });

  if (scenario === 'logs-empty') return () => undefined;
  if (scenario === 'logs-failed') {
    const lost = {
      ...problem('engine_lost', 'The Docker engine went away'),
      hint: 'Start it again; the log goes on by itself once it answers.',
    };
    const timer = setTimeout(() => batch([line(0), line(1)], { end: { problem: lost } }), 0);
    return () => clearTimeout(timer);
  }
  let sent = 0;
  const first = setTimeout(() => {
    const many = scenario === 'logs-many' ? 60_000 : 160;
    const lines = Array.from({ length: many }, (_, i) => line(i));
    const long = lines.at(-4);
    if (long) long.text = `{"payload":"${'abcdefghij'.repeat(6_500)}"}`;
    sent = many;
    batch(lines.slice(0, -60));
    batch(lines.slice(-60), { skipped: scenario === 'logs-many' ? 1_204 : 0 });
  }, 0);
  const more = scenario === 'live' ? setInterval(() => batch([line(sent++)]), 700) : undefined;
  return () => {
    clearTimeout(first);
    clearInterval(more);
  };
}

import { describe, expect, it } from 'vitest';
import { compose, sampleHandlers } from '../backend/demo/handlerdata';
import type { Choice, ConnectionCheck, HandlerRow } from '../generated/types';
import { checksAsText } from './checktext';
import { effectOf, lifetimeOf, secretsSummary, settingsOf, usersOfOthers } from './describe';
import { keyOfDocument, keyOfProvisioning } from './key';
import { ownerWords } from './owner';

const [local, cluster, previews] = sampleHandlers(1_000_000_000_000);
if (!local || !cluster || !previews) throw new Error('there are three of them');

function row(choice: Choice, more: Partial<HandlerRow> = {}): HandlerRow {
  return {
    key: local?.key ?? { provisionType: 'docker-compose', manifestId: null },
    services: ['shop-api'],
    workspace: local ?? null,
    own: null,
    inEffect: { provisioning: { type: 'docker-compose' }, choice, lookedAt: [] },
    madeWithAnother: [],
    ...more,
  };
}

describe('what is in effect', () => {
  it.each<[Choice, Partial<HandlerRow>, string, string]>([
    [{ type: 'handled', handler: local }, {}, 'Local Docker', 'workspace handler'],
    [
      { type: 'handled', handler: { ...local, scope: { type: 'user', userId: 'me' } } },
      {},
      'Local Docker',
      'your override is on',
    ],
    [
      { type: 'handled', handler: local },
      { own: { ...local, enabled: false, differences: 1 } },
      'Local Docker',
      'workspace handler · your override is off',
    ],
    [
      { type: 'handled', handler: { ...previews, key: { ...previews.key, manifestId: null } } },
      { key: previews.key },
      'Acme previews API',
      'workspace handler · it accepts kargo-preview',
    ],
    [{ type: 'no_handler' }, {}, 'Nothing handles this', 'its service cannot start'],
    [
      { type: 'no_handler' },
      { services: [] },
      'Nothing handles this',
      'a service of this type cannot start',
    ],
    [
      { type: 'ambiguous', candidates: [local, previews] },
      {},
      'Several handlers fit',
      'Local Docker and Acme previews API: keep one of them',
    ],
    [
      { type: 'local_dev_only', handler: cluster },
      {},
      'staging cluster is not on this machine',
      'services marked local development only cannot start',
    ],
    [{ type: 'nothing_to_run' }, {}, 'Nothing is started', 'these services need no environment'],
  ])('%o', (choice, more, title, reason) => {
    expect(effectOf(row(choice, more))).toMatchObject({ title, reason });
  });

  it('names environments under the handler that they use', () => {
    const made = (environmentName: string, label: string | null) => ({
      environmentId: environmentName,
      environmentName,
      madeWith: label === null ? null : { ...local, label },
    });
    const others = usersOfOthers(
      row(
        { type: 'no_handler' },
        { madeWithAnother: [made('a', 'X'), made('b', null), made('c', 'X')] },
      ),
      [],
    );
    expect(others.map(({ label, environments }) => [label, environments])).toEqual([
      ['X', ['a', 'c']],
      ['what it was started with', ['b']],
    ]);
  });

  it('says whose handler they use where another one of its name is in effect', () => {
    const madeWith = { ...local, scope: { type: 'user' as const, userId: 'ann' } };
    const made = { environmentId: 'a', environmentName: 'a', madeWith };
    const handled = row({ type: 'handled', handler: local }, { madeWithAnother: [made] });
    const [other] = usersOfOthers(handled, []);
    expect(other?.label).toBe(`${local.label} (override of ann)`);
  });
});

describe('a handler at a glance', () => {
  it.each([
    [{ service: 'web', port: '8080', ttlMinutes: '120' }, 'service web, port 8080, 2 h'],
    [{ ttlMinutes: '90' }, '1 h 30 min'],
    [{ ttlMinutes: '45' }, '45 min'],
    [{ ttlMinutes: '0' }, 'never ends'],
    [{ ttlMinutes: 'soon' }, ''],
    [{}, ''],
  ])('%o', (settings, words) => {
    expect(settingsOf(compose('x', settings as Record<string, string>))).toBe(words);
  });

  it('says how long environments live, whatever the engine', () => {
    expect(lifetimeOf(cluster.config)).toBe('2 h');
    expect(lifetimeOf(previews.config)).toBe('2 h');
    expect(lifetimeOf(compose('x', {}))).toBeNull();
  });

  it('counts its secrets and names those without a value', () => {
    expect(
      secretsSummary([
        { key: 'A', setAt: 5 },
        { key: 'B', setAt: null },
        { key: 'C', setAt: 9 },
      ]),
    ).toEqual({ missing: ['B'], set: { key: 'C', at: 9, count: 2 } });
    expect(secretsSummary([])).toEqual({ missing: [], set: null });
  });

  it('is somebody’s', () => {
    const users = [
      { id: 'me', name: 'me', current: true, system: true, overrides: 1 },
      { id: 'pair', name: 'Pair', current: false, system: false, overrides: 0 },
    ];
    const of = (userId: string) => ownerWords({ ...local, scope: { type: 'user', userId } }, users);
    expect(ownerWords(local, users)).toBe('workspace handler');
    expect(of('me')).toBe('your override');
    expect(of('pair')).toBe('override of Pair');
    expect(of('gone')).toBe('override of gone');
  });
});

describe('what a handler serves', () => {
  it.each([
    [{ engine: 'local-docker' }, { provisionType: 'docker-compose', manifestId: null }],
    [{ engine: 'local-k3s' }, { provisionType: 'kubernetes', manifestId: null }],
    [
      { engine: 'remote-custom', acceptsManifestId: 'kargo' },
      { provisionType: 'custom', manifestId: 'kargo' },
    ],
    [
      { engine: 'remote-custom', acceptsManifestId: '' },
      { provisionType: 'custom', manifestId: null },
    ],
    [{ engine: 'none' }, null],
    [{ engine: 'constructor' }, null],
    [null, null],
  ])('%o', (document, key) => {
    expect(keyOfDocument(document)).toEqual(key);
  });

  it('of a service is its manifest type only where that counts', () => {
    expect(keyOfProvisioning({ type: 'kubernetes', manifestId: 'x' }).manifestId).toBeNull();
    expect(keyOfProvisioning({ type: 'custom', manifestId: 'x' }).manifestId).toBe('x');
  });
});

describe('a test as text', () => {
  it('has every check with what was found and what to do', () => {
    const check = (more: Partial<ConnectionCheck>): ConnectionCheck => ({
      key: 'a',
      title: 'The engine answers',
      verdict: { state: 'passed' },
      durationMs: null,
      detail: null,
      facts: [],
      hint: null,
      command: null,
      ...more,
    });
    const text = checksAsText(
      'Local Docker',
      '1 check failed',
      [
        check({ durationMs: 1_250, facts: [{ name: 'API', value: '1.51' }] }),
        check({
          title: 'Berth may use it',
          verdict: { state: 'failed' },
          detail: 'Permission denied.',
          hint: 'Join the group.',
          command: 'usermod -aG docker me',
        }),
        check({ title: 'Platform', verdict: { state: 'skipped', because: 'b' } }),
      ],
      () => 'Berth may use it',
    );
    expect(text).toBe(
      [
        'Connection test of Local Docker: 1 check failed',
        '- The engine answers: passed (1.3 s)',
        '  API: 1.51',
        '- Berth may use it: failed',
        '  Permission denied.',
        '  To do: Join the group.',
        '  usermod -aG docker me',
        '- Platform: skipped: needs “Berth may use it” first',
        '',
      ].join('\n'),
    );
  });
});

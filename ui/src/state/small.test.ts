import { describe, expect, it } from 'vitest';
import { activity } from '../backend/demo/data';
import { isGitUrl, nameFromUrl } from './adding.svelte';
import { byDay, merged } from './activity';
import { matching } from './filter';
import { documentHref, handlerHref, href, NEW, parsePlace, serviceHref } from './route.svelte';
import type { HandlerPlace } from './route.svelte';

describe('locations', () => {
  it.each([
    ['https://github.com/acme/shop.git', true, 'shop'],
    ['ssh://git@host:22/acme/shop/', true, 'shop'],
    ['git@github.com:acme/shop.git', true, 'shop'],
    ['/home/me/shop', false, 'shop'],
    ['~/shop', false, 'shop'],
    ['C:\\work\\shop', false, null],
  ])('%s', (location, url, name) => {
    expect(isGitUrl(location)).toBe(url);
    if (name !== null) expect(nameFromUrl(location)).toBe(name);
  });
});

describe('places', () => {
  it('survive the address', () => {
    const fragment = href('environments', 'a/b c', 'logs');
    expect(parsePlace(fragment)).toEqual({
      page: 'environments',
      environment: 'a/b c',
      tab: 'logs',
      document: null,
      kind: null,
      handler: null,
      service: null,
    });
    expect(parsePlace(href('environments', 'x'))).toMatchObject({ tab: 'timeline' });
  });

  it('tell a document that is there from one that is about to be', () => {
    expect(parsePlace(documentHref('a/b'))).toMatchObject({ document: 'a/b', kind: null });
    expect(parsePlace(documentHref(NEW, 'x/y'))).toMatchObject({ document: NEW, kind: 'x/y' });
    expect(parsePlace(documentHref())).toMatchObject({ page: 'documents', document: null });
  });

  it('tell whose handler is open, and for what', () => {
    const places: HandlerPlace[] = [
      { own: false, key: null },
      { own: true, key: { provisionType: 'docker-compose', manifestId: null } },
      { own: false, key: { provisionType: 'custom', manifestId: 'a/b' } },
    ];
    for (const place of places)
      expect(parsePlace(handlerHref(place))).toMatchObject({ page: 'handlers', handler: place });
    expect(parsePlace('#/handlers/own/nonsense').handler).toBeNull();
    expect(parsePlace(serviceHref('s/1'))).toMatchObject({ page: 'services', service: 's/1' });
  });

  it('fall back to the list', () => {
    const list = {
      page: 'environments',
      environment: null,
      tab: 'timeline',
      document: null,
      kind: null,
      handler: null,
      service: null,
    };
    expect(parsePlace('')).toEqual(list);
    expect(parsePlace('#/nowhere/else')).toEqual(list);
  });
});

describe('the activity', () => {
  it('merges pages without doubles', () => {
    const all = activity(1_000_000_000_000);
    const both = merged(all.slice(0, 60), all.slice(40, 120));
    expect(both.map(({ id }) => id)).toEqual(all.slice(0, 120).map(({ id }) => id));
  });

  it('stands under the day it happened on', () => {
    const now = new Date(2026, 10, 30, 14, 0).getTime();
    const days = byDay(activity(now), now);
    expect(days.slice(0, 3).map(({ title }) => title)).toEqual([
      'Today',
      'Yesterday',
      '28 Nov 2026',
    ]);
  });
});

describe('filtering', () => {
  const names = ['Logs of shop-api main', 'shop-api main', 'shop-api pull 42'];
  it('wants every word, and puts beginnings first', () => {
    expect(matching(names, 'shop main', (name) => name)).toEqual([names[0], names[1]]);
    expect(matching(names, 'SHOP', (name) => name)).toEqual([names[1], names[2], names[0]]);
    expect(matching(names, ' ', (name) => name)).toEqual(names);
  });
});

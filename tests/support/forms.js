// Runs in the page: what a user would do to write a document into an empty form, and where on the page that
// is. Everything is found by its accessible name, within the group that its section's name gives.
(() => {
  const inSentence = (name) =>
    /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  /** A schema with its reference followed; words beside the reference come first. */
  const resolved = (root, schema) => {
    const { $ref, ...own } = schema;
    return $ref ? { ...resolved(root, root.$defs[$ref.slice('#/$defs/'.length)]), ...own } : schema;
  };
  const at = (value, pointer) =>
    pointer.split('/').slice(1).reduce((inner, key) => inner?.[key], value);
  const schemaAt = (root, schema, pointer) =>
    pointer
      .split('/')
      .slice(1)
      .reduce((inner, key) => resolved(root, resolved(root, inner).properties[key]), schema);

  const UNITS = { ms: 1, s: 1000, min: 60000 };
  /** `90 min`: a duration as one says it. */
  const spoken = (amount, unit) => {
    const ms = Number(amount) * UNITS[unit];
    const [size, word] = [
      [3600000, 'h'],
      [60000, 'min'],
      [1000, 's'],
      [1, 'ms'],
    ].find(([size]) => ms % size === 0);
    return `${ms / size} ${word}`;
  };

  /** Steps that write `value`; `path` are the names of the groups around it. */
  function plan(root, given, value, path, name) {
    const schema = resolved(root, given);
    const fill = (text, label = name) => [{ do: 'fill', path, name: label, text: String(text) }];
    const inner = [...path, name];
    const nullable = schema.anyOf?.find((option) => option.type !== 'null');
    if (nullable) {
      const none = { do: 'tick', path, name: 'No value', of: name, on: value === null };
      const { anyOf: _, ...own } = schema;
      const solid = { ...own, ...resolved(root, nullable) };
      return value === null ? [none] : [none, ...plan(root, solid, value, path, name)];
    }
    if ('const' in schema) return [];
    if (schema.enum) {
      const option = schema['x-berth-words']?.[value]?.title ?? String(value);
      return [{ do: 'choose', path, name, option }];
    }
    if (schema.oneOf) {
      const branch = branchOf(root, schema, value);
      return [
        { do: 'choose', path: inner, name, option: branch.title },
        ...members(root, branch, value, inner),
      ];
    }
    if (schema['x-berth-secret-ref']) return fill(value.key);
    if (schema['x-berth-unit']) return fill(spoken(value, schema['x-berth-unit']));
    // Of several types the form draws the first.
    switch ([schema.type].flat()[0]) {
      case 'boolean':
        return [{ do: 'tick', path, name, on: value }];
      case 'string':
      case 'number':
      case 'integer':
        return fill(value);
      case 'array':
        return value.flatMap((item, i) => {
          const of = resolved(root, schema.items);
          const label = `${of.title || 'Item'} ${i + 1}`;
          const added = [
            { do: 'press', path: inner, name: `Add ${inSentence(of.title || 'item')}` },
          ];
          return of.properties && !of['x-berth-secret-ref']
            ? [...added, ...members(root, of, item, [...inner, label])]
            : [...added, ...plan(root, of, item, inner, label)];
        });
      case 'object':
        if (schema.properties) return members(root, schema, value, inner);
        if (isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0)
          return Object.entries(value).flatMap(([key, entry], i) => [
            { do: 'press', path: inner, name: `Add to ${name}` },
            { do: 'fill', path: inner, name: `Name, row ${i + 1}`, text: key },
            ...plan(root, schema.additionalProperties, entry, inner, `Value of ${key}`),
          ]);
        return fill(JSON.stringify(value));
      default:
        return fill(JSON.stringify(value));
    }
  }

  /** The properties of an object that its document has, in the order of the form. */
  function members(root, schema, value, path) {
    const form = schema['x-berth-form'];
    if (form) {
      return form.show.flatMap(({ at: pointer, schema: instead }) => {
        const found = at(value, pointer);
        if (found === undefined) return [];
        const own = schemaAt(root, schema, pointer);
        const part = instead ? { ...own, ...resolved(root, instead) } : own;
        return property(root, part, found, path, part.title ?? pointer.split('/').at(-1), true);
      });
    }
    return Object.entries(schema.properties).flatMap(([key, inner]) => {
      if (!Object.hasOwn(value, key)) return [];
      const label = resolved(root, inner).title || key;
      return property(root, inner, value[key], path, label, (schema.required ?? []).includes(key));
    });
  }

  function property(root, given, value, path, label, required) {
    const schema = resolved(root, given);
    const isSection =
      (schema.oneOf || schema.properties) && !schema['x-berth-secret-ref'] && !schema.anyOf;
    const steps = plan(root, schema, value, path, label);
    return isSection && !required
      ? [{ do: 'press', path, name: `Add ${inSentence(label)}` }, ...steps]
      : steps;
  }

  function branchOf(root, { oneOf }, value) {
    const fits = (branch) =>
      Object.entries(branch.properties)
        .map(([key, inner]) => [value[key], resolved(root, inner)])
        .filter(([, inner]) => 'const' in inner)
        .map(([found, inner]) => found === inner.const);
    const branches = oneOf.map((branch) => resolved(root, branch));
    return (
      branches.find((branch) => fits(branch).length > 0 && fits(branch).every(Boolean)) ??
      branches.find((branch) => fits(branch).length === 0)
    );
  }

  const GROUPS = 'section[aria-labelledby], [role="group"]';
  const CONTROLS = {
    fill: 'input:not([type="checkbox"]), textarea',
    tick: 'input[type="checkbox"]',
    choose: 'select, [role="radiogroup"]',
    press: 'button',
  };
  const text = (element) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

  function nameOf(element) {
    const by = element.getAttribute('aria-labelledby');
    if (by) return by.split(' ').map((id) => text(document.getElementById(id))).join(' ');
    const label = element.getAttribute('aria-label');
    if (label) return label;
    const labels = element.labels;
    if (labels?.length) return text(labels[0]);
    return text(element);
  }

  /** The one that fewest groups stand around; with as few, the first. */
  function nearest(scope, selector, isIt) {
    const depth = (element) => {
      let n = 0;
      for (let up = element.parentElement; up && up !== scope; up = up.parentElement)
        if (up.matches(GROUPS)) n += 1;
      return n;
    };
    const found = [...scope.querySelectorAll(selector)].filter(isIt);
    return found.sort((a, b) => depth(a) - depth(b))[0];
  }

  const described = (element) => text(document.getElementById(element.getAttribute('aria-describedby')));

  async function locate({ do: action, path, name, option, of }) {
    const form = document.querySelector('[data-testid="schema-form"]');
    if (!form) return { missing: 'the form' };
    let scope = form;
    for (const group of path) {
      const found = nearest(scope, GROUPS, (element) => nameOf(element) === group);
      if (!found) return { missing: `the group “${group}”` };
      scope = found;
    }
    // The box for “no value” is described by the name of what it stands for.
    const control = nearest(scope, CONTROLS[action], (element) =>
      of === undefined ? nameOf(element) === name : described(element) === of,
    );
    if (!control) {
      const names = [...scope.querySelectorAll(CONTROLS[action])].map((e) => `${nameOf(e)}=${e.value}`);
      return { missing: `“${name}” among ${JSON.stringify(names)}` };
    }
    let found = control;
    if (action === 'choose') {
      const choices = [...control.querySelectorAll('option, [role="radio"]')];
      // A choice may be described behind its name.
      found =
        choices.find((choice) => text(choice) === option) ??
        choices.find((choice) => text(choice).startsWith(option));
      if (!found) return { missing: `the choice “${option}” of “${name}”` };
    }
    for (const before of document.querySelectorAll('[data-here]')) before.removeAttribute('data-here');
    found.dataset.here = '';
    if (action !== 'fill') await standingStill(found);
    return { on: found.checked === true };
  }

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  /** What the validator says moves the form: a click is aimed at what stands still. */
  async function standingStill(element) {
    const top = () => element.getBoundingClientRect().top;
    for (let since = performance.now(), at = top(); performance.now() - since < 250; await wait(20)) {
      if (top() === at) continue;
      at = top();
      since = performance.now();
    }
  }

  async function until(what, attempt) {
    for (const end = performance.now() + 20_000; performance.now() < end; await wait(4)) {
      const found = attempt();
      if (found) return found;
    }
    throw new Error(`not in 20 s: ${what}. The page shows:\n${document.body.innerText}`);
  }
  const one = (css) => document.querySelector(css);
  const by = (id) => one(`[data-testid="${id}"]`);
  const there = (css) => until(css, () => one(css));

  function type(field, text) {
    field.focus();
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    set.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  const invoke = (command, given) => window.__TAURI_INTERNALS__.invoke(command, given);
  let savedAt = 0;

  /** Saves, waits until that is done, and gives the text that is kept. */
  async function save() {
    const id = location.hash.split('/').at(-1);
    (await until('Save', () => one('[data-testid="save-document"]:not([disabled])'))).click();
    for (const end = performance.now() + 20_000; performance.now() < end; await wait(4)) {
      const kept = await invoke('document', { id }).catch(() => null);
      if (kept && kept.updatedAt > savedAt) {
        savedAt = kept.updatedAt;
        await until('“Saved”', () => by('document-state')?.dataset.dirty === 'false');
        return kept.text;
      }
      if (by('issue-summary')) break;
    }
    throw new Error(`it is not saved. The page shows:\n${document.body.innerText}`);
  }

  /** Puts a text in place of the open document's. */
  async function paste(written) {
    by('paste').click();
    type(await there('[data-testid="paste-field"]'), written);
    (await there('[data-testid="paste-use"]:not([disabled])')).click();
    await until('the dialog to close', () => !by('paste-dialog'));
    // The dialog gives focus back before the text is taken, a timer later.
    await wait(1);
  }

  /** Changes something in the form and back, so that the form writes the whole document anew. */
  async function rewrite() {
    const form = by('schema-form');
    const field = form.querySelector('input[type="text"]:not([role="combobox"])');
    const select = form.querySelector('select');
    const radio = form.querySelector('[role="radio"][aria-checked="true"]');
    const put = async (set, there_, elsewhere) => {
      for (const value of [elsewhere, there_]) {
        set(value);
        await wait(1);
      }
    };
    if (field) await put((value) => type(field, value), field.value, `${field.value}x`);
    else if (select) {
      const choose = (value) => {
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      };
      await put(choose, select.value, [...select.options].find((o) => !o.selected).value);
    } else {
      const group = radio.closest('[role="radiogroup"]');
      const radios = () => [...group.querySelectorAll('[role="radio"]')];
      const at = radios().indexOf(radio);
      await put((i) => radios()[i].click(), at, at === 0 ? 1 : 0);
    }
  }

  /** What is kept of a text that is loaded and saved: untouched, and written anew by the form. */
  async function roundTrip(written) {
    await paste(written);
    const untouched = await save();
    await rewrite();
    return [untouched, await save()];
  }

  /** The open document as the JSON view shows it. */
  async function shownText() {
    by('view-both').click();
    const shown = () => {
      // Text with values of secrets is shown on purpose only.
      by('show-secret-text')?.click();
      return by('json-text')?.shadowRoot?.querySelector('.cm-content')?.innerText;
    };
    return until('the JSON view', shown);
  }

  /** Follows the steps to a state of a form (ui/scripts/form-states.mjs). */
  async function reach({ place, steps }) {
    const leave = by('leave-discard') ?? by('replace');
    leave?.click();
    location.hash = '#/settings';
    await until('another page', () => by('theme-system') ?? (by('leave-discard')?.click(), null));
    location.hash = place;
    for (const step of steps) {
      const css = step.click ?? step.fill ?? step.await;
      if (step.offered && !one(css)) continue;
      if (step.press) {
        document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: step.press, bubbles: true }),
        );
        continue;
      }
      const element = await there(css);
      if (step.click) {
        element.focus();
        element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
        element.click();
      } else if (step.fill) type(element, step.text);
      await wait(1);
    }
  }

  /** What axe finds wrong with the page, in both appearances. */
  async function audit() {
    const found = [];
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme;
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        // The themes differ in nothing but colours.
        ...(theme === 'dark' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
      });
      for (const { id, help, nodes } of violations)
        found.push(`${id}: ${help} (${theme}), ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`);
    }
    document.documentElement.dataset.theme = 'light';
    return found;
  }

  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));

  /** Milliseconds from the click on a document in the list to a form that is painted. */
  async function opening(id) {
    location.hash = '#/documents';
    const link = await there(`[data-testid="document-row"][data-id="${id}"] a`);
    await frame();
    const from = performance.now();
    link.click();
    await until('the form', () => by('schema-form'));
    await frame();
    return { ms: performance.now() - from, fields: by('schema-form').querySelectorAll('input, textarea, select, [role="radiogroup"]').length };
  }

  /** Milliseconds from each of some key strokes to the frame that shows it, the JSON view beside the form. */
  async function typing(strokes) {
    const field = by('schema-form').querySelector('input[type="text"]:not([role="combobox"])');
    const took = [];
    for (let i = 0; i < strokes; i += 1) {
      await frame();
      const from = performance.now();
      type(field, `${field.value}x`);
      await frame();
      took.push(performance.now() - from);
    }
    return took;
  }

  const complaints = [];
  const complain = (what) => complaints.push(String(what).slice(0, 500));
  for (const level of ['error', 'warn']) {
    const said = console[level];
    console[level] = (...words) => {
      complain(`console.${level}: ${words.map(String).join(' ')}`);
      said.apply(console, words);
    };
  }
  window.addEventListener('error', (event) => complain(`error: ${event.message}`));
  window.addEventListener('unhandledrejection', (event) => complain(`rejected: ${event.reason}`));
  document.addEventListener('securitypolicyviolation', (event) =>
    complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );

  window.formTest = {
    // The schema is asked for here: on its way through the driver its keys would lose their order.
    plan: async (name, document) => {
      const schema = await invoke('contract_schema', { name });
      const title = schema.title || 'Document';
      return schema.properties && !schema['x-berth-secret-ref']
        ? members(schema, schema, document, [])
        : plan(schema, schema, document, [], title);
    },
    locate,
    roundTrip,
    shownText,
    reach,
    audit,
    opening,
    typing,
    complaints,
  };
})();

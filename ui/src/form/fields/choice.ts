import type { Place } from '../model/draft';
import type { Field, Option } from '../model/field';
import { isSection } from '../model/field';
import { readable } from '../model/json';

/** Cards that say what each is, names side by side, or a list that opens. */
export type ChoiceStyle = 'cards' | 'beside' | 'list';

const MANY = 7;
const FEW = 5;
const FEW_IN_ITEMS = 3;
const NARROW = 40;

export function optionName({ title, value }: Option): string {
  return title || readable(value);
}

/** What can be left open needs a way back to nothing, which only the list has. */
export function choiceStyle(
  options: readonly Option[],
  place: Place,
  inItems: boolean,
): ChoiceStyle {
  if (place === 'optional' || options.length < 2) return 'list';
  if (inItems && options.length > FEW_IN_ITEMS) return 'list';
  if (options.length <= MANY && options.every(({ description }) => description !== ''))
    return 'cards';
  const narrow = options.map(optionName).join('').length <= NARROW;
  return options.length <= FEW && narrow ? 'beside' : 'list';
}

/** Whether a field is drawn as several elements, which share its label. */
export function isGroup(field: Field, place: Place, inItems: boolean): boolean {
  if (field.kind === 'choice') return choiceStyle(field.options, place, inItems) !== 'list';
  return field.kind === 'list' || field.kind === 'record' || isSection(field);
}

import { formPhotos } from '#shared/listing-limits.ts'
import { parseJson } from '../raw.ts'
import { type Choice, chooseCategory, chooseColour, chooseSame, chooseSize } from '../sell-form/choose.ts'
import { type Grade, gradeOf } from '../sell-form/condition-grade.ts'
import { check, chosen, type FormSteps, filled, left, type Result, type Tools } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { keptStep, photosStep, pickStep, priceStep, textStep } from '../sell-form/steps.ts'
import { close, one, pick, shown, textField, textOf, waitFor, write } from '../sell-form/touch.ts'
import { plain } from '../sell-form/words.ts'
import { currencyWords, formCurrency } from './form-currency.ts'
import { readAccount } from './pages.ts'

/** Limits of Depop's form. */
const max = { description: 1_000, photos: formPhotos.depop, colors: 2, sku: 50 }
const prices = { min_minor: 100, max_minor: 100_000_000, whole: false }

/** The form's condition for each grade, and whether it means the same. */
const conditions: Record<Grade, readonly [label: string, same: boolean]> = {
  new_tags: ['Brand new', true],
  new: ['Brand new', true],
  like_new: ['Like new', true],
  excellent: ['Used - Excellent', true],
  good: ['Used - Good', true],
  fair: ['Used - Fair', true],
  poor: ['Used - Fair', false],
}

/** Fills Depop's product form. It has no title, and its comboboxes open their own menus. */
export const depopSteps: FormSteps = (draft, tools) => [
  photosStep(draft, tools, {
    find: () => document.querySelector('input[data-testid="upload-input__input"], input#upload-input__input'),
    max: max.photos,
    highlight: (field) => field.closest('label, section, fieldset') ?? field.parentElement,
  }),
  textStep('description', () => textField('#description'), descriptionOf(draft), max.description),
  ['category', () => fillCategory(draft)],
  keptStep(
    'brand',
    (again) => fillBrand(draft.brand, again),
    () => brandField()?.value ?? '',
  ),
  ['condition', () => fillCondition(draft.condition)],
  ['size', () => fillSize(draft.size)],
  ['colors', () => fillColours(draft.colors)],
  priceStep(draft, { ...prices, currencyAt: (field) => currencyAt(field, tools) }, { find: priceField }),
  ...(draft.sku ? [textStep('sku', () => textField('#sku, input[name="sku"]'), draft.sku, max.sku)] : []),
]

/** Returns the form's currency, which is that of the seller's country. */
async function currencyAt(field: Element, { account }: Tools): Promise<string | null> {
  return formCurrency(currencyWords(field), readAccount(parseJson((await account()) ?? ''))?.country ?? null)
}

/** Returns the description, whose first line replaces the title that Depop lacks. */
function descriptionOf({ title, description }: ListingDraft): string {
  const [first = ''] = description.split('\n')
  return plain(first) === plain(title) ? description : `${title}\n\n${description}`.trim()
}

const menuOf = (name: string) => `[id="${name}-menu"]`
const opener = (name: string) => () => one(`[id="${name}-input"]`)

/** Returns the options of a combobox, whose menu is elsewhere in the page. */
function optionsOf(name: string) {
  return () => shown(`${menuOf(name)} [role="option"]`)
}

function pickIn(name: string, wanted: string | null, choose: (labels: string[]) => Choice | null): Promise<Result> {
  return pickStep(wanted, opener(name), () => ({ options: optionsOf(name), choose }))
}

/** Picks department and category together, because category names repeat under each department. */
async function fillCategory({ category, title }: ListingDraft): Promise<Result> {
  const wanted = category.join(' > ') || title
  return pickStep(wanted, opener('group'), () => ({
    options: optionsOf('group'),
    choose(labels) {
      const headings = optionsOf('group')().map(headingOf)
      const departments = [...new Set(headings)].filter((one) => one !== '')
      if (departments.length === 0) return chooseCategory(labels, category, title)
      const department = chooseCategory(departments, category, title)
      // A category that only one department offers identifies the department.
      if (!department) return unsure(chooseCategory(labels, category, title))
      const within = labels.flatMap((_, index) => (headings[index] === departments[department.index] ? [index] : []))
      const choice = chooseCategory(
        within.map((index) => labels[index]!),
        category,
        title,
      )
      return choice && { index: within[choice.index]!, sure: choice.sure && department.sure }
    },
  }))
}

function unsure(choice: Choice | null): Choice | null {
  return choice && { ...choice, sure: false }
}

/** Returns the heading of an option: its group's label, or else the last heading before it. */
function headingOf(option: HTMLElement): string {
  const group = option.closest('[role="group"]')
  const label = group?.getAttribute('aria-label') ?? textById(group?.getAttribute('aria-labelledby'))
  if (label) return label
  const menu = option.closest(menuOf('group'))
  const before = [...(menu?.querySelectorAll('*') ?? [])].filter(
    (one) =>
      one.compareDocumentPosition(option) & Node.DOCUMENT_POSITION_FOLLOWING &&
      !one.contains(option) &&
      !one.closest('[role="option"]') &&
      one.childElementCount === 0 &&
      textOf(one) !== '',
  )
  const last = before.at(-1)
  return last ? textOf(last) : ''
}

function textById(id: string | null | undefined): string | null {
  const element = id ? document.getElementById(id) : null
  return element && textOf(element)
}

const brandField = () => textField('[id="brand-input"]')
const priceField = () => textField('[data-testid="priceAmount__input"], #priceAmount__input')

/** Waits longer for the options, which come from the site's server. */
async function fillBrand(brand: string | null, overwrite: boolean): Promise<Result> {
  if (!brand) return left('not_said')
  const field = await waitFor(brandField)
  if (!field) return left('no_field', brand)
  const done = await write(field, brand, { leave: false, overwrite })
  if (done !== 'written') return left(done, brand, field)
  const options = optionsOf('brand')
  const choose = (labels: string[]) => chooseSame(labels, brand)
  const picked = await pick({ opener: null, options, choose, timeoutMs: 5_000, shows: () => field.value })
  if (picked !== null && picked !== 'no_menu') return chosen(picked, field)
  await close(null, options)
  await write(field, '', { overwrite: true })
  return left('no_option', brand, field)
}

async function fillCondition(label: string): Promise<Result> {
  const grade = gradeOf(label)
  if (!grade) return left(label ? 'no_option' : 'not_said', label || null, opener('condition')())
  const [wanted, same] = conditions[grade.grade]
  return pickIn('condition', label, (labels) => {
    const choice = chooseSame(labels, wanted)
    return choice && { ...choice, sure: same && grade.sure }
  })
}

/** Picks the size. Its menu exists once the category is chosen. */
function fillSize(size: string | null): Promise<Result> {
  return pickIn('variants', size, (labels) => chooseSize(labels, size ?? ''))
}

async function fillColours(colors: string[]): Promise<Result> {
  if (colors.length === 0) return left('not_said')
  const results: Result[] = []
  for (const color of colors) {
    if (results.filter((one) => one.result !== 'left').length === max.colors) break
    results.push(await pickIn('colour', color, (labels) => chooseColour(labels, color)))
  }
  const menu = optionsOf('colour')
  // The menu stays open for a second color; close it before the next field.
  if (menu().length > 0) await close(opener('colour')(), menu)
  const taken = results.filter((one) => one.result !== 'left')
  if (taken.length === 0) return { ...results[0]!, value: colors.join(', ') }
  const highlights = taken.flatMap((one) => one.highlights)
  if (taken.length < Math.min(colors.length, max.colors)) return check('no_option', ...highlights)
  if (colors.length > max.colors) return check('cut', ...highlights)
  return taken.find((one) => one.result === 'check') ?? filled(...highlights)
}

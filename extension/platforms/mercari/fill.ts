import { formPhotos, titleMax } from '#shared/listing-limits.ts'
import { chooseSame, chooseSize } from '../sell-form/choose.ts'
import { type Grade, gradeOf } from '../sell-form/condition-grade.ts'
import { check, chosen, type FormSteps, filled, left, type Result } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { switchedOn } from '../sell-form/smart-switches.ts'
import { keptStep, photosStep, pickStep, priceStep, saysTitle, textStep } from '../sell-form/steps.ts'
import {
  choiceOf,
  close,
  isShown,
  one,
  pick,
  press,
  shown,
  type TextField,
  textField,
  waitFor,
  write,
} from '../sell-form/touch.ts'
import { chooseLevel, chooser, fillCategoryInDialog } from './category-chooser.ts'

/** Limits of Mercari's form, some known only from other sellers' tools (2026). */
const max = { title: titleMax.mercari, description: 1_000, photos: formPhotos.mercari }
const prices = { currency: 'USD', min_minor: 100, max_minor: 200_000, whole: false }

/** A description of fewer words is refused. */
const leastWords = 5

const testId = (name: string) => `[data-testid="${name}"]`

/** The form's condition for each grade, and whether it means the same. */
const conditions: Record<Grade, readonly [name: string, same: boolean]> = {
  new_tags: ['New', true],
  new: ['New', true],
  like_new: ['LikeNew', true],
  // The site's "Good" means "gently used": a lower grade, but never an overstated one.
  excellent: ['Good', false],
  good: ['Good', true],
  fair: ['Fair', true],
  poor: ['Poor', true],
}

/** Fills Mercari's sell page. Fields have test ids, and the category has up to three menus. */
export const mercariSteps: FormSteps = (draft, tools) => {
  const title = () => textField(testId('Title')) ?? textField('#sellName')
  const description = () => textField(testId('Description')) ?? textField('#sellDescription')
  const price = () => textField(testId('Price')) ?? textField('#sellPrice, #Price')
  // A value that appears in an empty field is Mercari's own, which it reads from the photos.
  const isEmpty = (find: () => TextField | null) => (find()?.value ?? '') === ''
  const [overwrites, isPriceless, isBrandless] = [{ overwrites: true }, isEmpty(price), isEmpty(brandField)]
  const recognition = waitForRecognition(draft, title)
  return [
    photosStep(draft, tools, {
      find: () => fileField(`${testId('SellPhotoInput')}`),
      max: max.photos,
      highlight: (field) => field.closest('label, section, form > div') ?? field.parentElement,
      ...recognition,
    }),
    textStep('title', title, draft.title, max.title, isEmpty(title) ? overwrites : {}),
    textStep('description', description, draft.description, max.description, {
      overwrites: isEmpty(description),
      least: leastWords,
    }),
    keptStep('category', () => fillCategory(draft), shownCategory),
    keptStep(
      'brand',
      (again) => fillBrand(draft.brand, again || isBrandless),
      () => brandField()?.value ?? '',
    ),
    keptStep('size', () => fillSize(draft.size), shownSize),
    ['condition', () => fillCondition(draft.condition)],
    priceStep(draft, prices, { find: price, overwrites: isPriceless, remark: smartSwitches }),
  ]
}

/** How long Mercari may take to begin and to finish writing what it recognizes in the photos, in ms. */
const recognizesInMs = 10_000
const writesInMs = 2_000

/** Waits after the other fields until Mercari has written over the title what it recognizes in the photos. */
function waitForRecognition({ title }: ListingDraft, field: () => TextField | null) {
  const isWritten = () => !['', title].includes(field()?.value ?? '') && !saysTitle(field()?.value, title, max.title)
  let begun: Promise<boolean> | null = null
  return {
    async afterwards() {
      begun = waitFor(isWritten, recognizesInMs).then(Boolean)
    },
    async again() {
      if (await begun) await waitFor(() => false, writesInMs)
      begun = null
      return null
    },
  }
}

/** How long the switches may take to appear after the price, in ms. Some forms have none. */
const switchesInMs = 1_500

/** Returns what to look at where Mercari would lower the price or send offers by itself, or null. */
async function smartSwitches(): Promise<Result | null> {
  await waitFor(() => /smart pricing/i.test(document.body.textContent), switchesInMs)
  const [pricing, offers] = [switchedOn(/smart pricing/i), switchedOn(/(smart|automatic) offers/i)]
  if (!pricing && !offers) return null
  return check(pricing && offers ? 'smart_both' : pricing ? 'smart_pricing' : 'smart_offers', pricing, offers)
}

function fileField(selector: string): HTMLInputElement | null {
  const found = document.querySelector(selector)
  const field = found instanceof HTMLInputElement ? found : found?.querySelector('input[type=file]')
  return field instanceof HTMLInputElement ? field : null
}

function shownCategory(): string {
  return shown(`${chooser}, [data-testid^="CategoryL"]:not([data-testid$="-option"])`).map(choiceOf).join(' > ')
}

async function fillCategory(draft: ListingDraft): Promise<Result> {
  const found = await waitFor(() => one(`${chooser}, ${testId('CategoryL0')}`))
  if (found?.matches(chooser)) return fillCategoryInDialog(found, draft)
  const wanted = draft.category.join(' > ') || null
  const levels: HTMLElement[] = []
  let [sure, seen] = [true, true]
  for (let level = 0; level < 3; level++) {
    // Not every category has three levels.
    const opener = await waitFor(() => one(testId(`CategoryL${level}`)), level === 2 ? 800 : undefined)
    if (!opener) break
    levels.push(opener)
    const options = () => shown(testId(`CategoryL${level}-option`))
    const picked = await pick({ opener, options, choose: (labels) => chooseLevel(labels, draft, level) })
    if (picked === 'no_menu') return left('no_field', wanted, ...levels)
    if (!picked) return level === 0 ? left('no_option', wanted, ...levels) : check('no_option', ...levels)
    sure &&= picked.sure
    seen &&= picked.seen
  }
  if (levels.length === 0) return left('no_field', wanted)
  return chosen({ sure, seen }, ...levels)
}

const brandField = () => textField(testId('Brand')) ?? textField('#sellBrandId')

/** Picks the brand. The site accepts only brands that it knows. */
async function fillBrand(brand: string | null, overwrite: boolean): Promise<Result> {
  if (!brand) return left('not_said', null, brandField())
  const field = await waitFor(brandField)
  if (!field) return left('no_field', brand)
  const done = await write(field, brand, { leave: false, overwrite })
  if (done !== 'written') return left(done, brand, field)
  const options = () => shown(`${testId('BrandSuggestion')}, [role="option"]`)
  const choose = (labels: string[]) => chooseSame(labels, brand)
  const picked = await pick({ opener: null, options, choose, shows: () => field.value })
  if (picked !== null && picked !== 'no_menu') return chosen(picked, field)
  await close(null, options)
  // Remove an unknown brand, which would look accepted.
  await write(field, '', { overwrite: true })
  return left('no_option', brand, field)
}

const shownSize = () =>
  shown(testId('Size'))
    .map(choiceOf)
    .join()
    .replace(/^(select|choose)\b.*|^size$/i, '')

function fillSize(size: string | null): Promise<Result> {
  return pickStep(
    size,
    () => one(testId('Size')),
    () => ({
      options: () => shown(testId('Size-option')),
      choose: (labels) => chooseSize(labels, size ?? ''),
    }),
  )
}

async function fillCondition(label: string): Promise<Result> {
  const grade = gradeOf(label)
  if (!grade) return left(label ? 'no_option' : 'not_said', label || null, one(testId('ConditionGood')))
  const [name, same] = conditions[grade.grade]
  const option = await waitFor(() => conditionAt(name))
  if (!option) return left('no_field', label)
  press(option)
  const inner = option instanceof HTMLLabelElement ? option.control : (option.querySelector('input') ?? option)
  const radio = inner instanceof HTMLInputElement ? inner : null
  if (radio && !(await waitFor(() => radio.checked, 600))) return left('refused', label, option)
  return same && grade.sure ? filled(option) : check('nearest', option)
}

/** Returns the clickable element of a condition. Its radio button may be hidden behind a label. */
function conditionAt(name: string): HTMLElement | null {
  const found = document.querySelector<HTMLElement>(testId(`Condition${name}`))
  const label = found instanceof HTMLInputElement ? found.labels?.[0] : null
  return [found, label].find((element) => element && isShown(element)) ?? null
}

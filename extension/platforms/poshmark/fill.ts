import { formPhotos, titleMax } from '#shared/listing-limits.ts'
import { type Choice, chooseCategory, chooseColour, chooseSame, chooseSize } from '../sell-form/choose.ts'
import { type Grade, gradeOf } from '../sell-form/condition-grade.ts'
import { check, chosen, type FormSteps, filled, left, type Result } from '../sell-form/form.ts'
import type { ListingDraft } from '../sell-form/listing-draft.ts'
import { switchedOn } from '../sell-form/smart-switches.ts'
import { keptStep, photosStep, priceStep, textStep } from '../sell-form/steps.ts'
import {
  close,
  innermost,
  isShown,
  one,
  pick,
  press,
  sameAmount,
  shown,
  type TextField,
  textField,
  textOf,
  waitFor,
  write,
} from '../sell-form/touch.ts'
import { plain } from '../sell-form/words.ts'

/** Limits of Poshmark's form. */
const max = { title: titleMax.poshmark, description: 1_500, photos: formPhotos.poshmark, colors: 2, sku: 50 }
const prices = { currency: 'USD', min_minor: 300, max_minor: 200_000_000, whole: true }

/** The form's condition code for each grade, and whether it means the same. */
const conditions: Record<Grade, readonly [code: string, same: boolean]> = {
  new_tags: ['nwt', true],
  // "New without tags or like new" is nearest, because "New With Tags" would overstate it.
  new: ['uln', false],
  like_new: ['uln', true],
  excellent: ['ug', false],
  good: ['ug', true],
  fair: ['uf', true],
  poor: ['uf', false],
}

/** Fills Poshmark's create-listing page (recorded 2026-09). It has custom dropdowns and a price dialog. */
export const poshmarkSteps: FormSteps = (draft, tools) => [
  photosStep(draft, tools, {
    find: () =>
      document.querySelector('input#img-file-input, [data-et-name="listingEditorImageSection"] input[type=file]'),
    max: max.photos,
    highlight: (field) => field.closest('[data-et-name="listingEditorImageSection"]') ?? field.closest('label'),
    afterwards: acceptCover,
  }),
  textStep('title', () => textField('input[data-vv-name="title"]'), draft.title, max.title),
  textStep('description', () => textField('textarea[data-vv-name="description"]'), draft.description, max.description),
  ['category', () => fillCategory(draft)],
  ['size', () => fillSize(draft.size)],
  ['condition', () => fillCondition(draft.condition)],
  keptStep(
    'brand',
    (again) => fillBrand(draft.brand, again),
    () => brandField()?.value ?? '',
  ),
  ['colors', () => fillColours(draft.colors)],
  priceStep(draft, prices, { find: priceField, open: openPrice, close: closePrice }),
  ...(draft.sku ? [textStep('sku', findSku, draft.sku, max.sku)] : []),
]

/** Confirms the first picture as the cover, as in the inventory. */
async function acceptCover(): Promise<void> {
  const apply = await waitFor(() => one('[data-et-name="apply"][data-et-on-name="select_first_photo"]'), 8_000)
  if (apply) press(apply)
  await waitFor(() => !apply || !isShown(apply))
}

async function fillCategory(draft: ListingDraft): Promise<Result> {
  const wanted = draft.category.join(' > ') || null
  const box = await waitFor(() => one('.listing-editor__category-container'))
  const opener = box && one('.dropdown__selector', box)
  if (!box || !opener) return left('no_field', wanted)
  const selector = () => shown('.dropdown__selector', box).map(textOf).join(' ')
  const departments = () => shown('a.dropdown__link[data-et-name]:not([data-et-name="all"])', box)
  const department = await pick({
    opener,
    options: departments,
    choose: (labels) => choose(labels, draft),
    shows: later,
  })
  if (department === 'no_menu') return left('no_field', wanted, box)
  if (!department) return left('no_option', wanted, box)
  const kinds = () => shown('li.dropdown__menu__item', box)
  const kind = await pick({ opener: null, options: kinds, choose: (labels) => choose(labels, draft), shows: selector })
  if (kind === 'no_menu' || !kind) {
    await close(opener, kinds)
    return left('no_option', wanted, box)
  }
  const narrow = await fillSubcategory(draft)
  const sure = department.sure && kind.sure && narrow !== 'near'
  return chosen({ sure, seen: kind.seen }, box)
}

/** For choices that the form shows only after a further step. */
const later = 'later' as const

/** Picks the optional subcategory if the item's title or category names it. */
async function fillSubcategory({ category, title }: ListingDraft): Promise<'none' | 'same' | 'near'> {
  const opener = await waitFor(() => one('.listing-editor__subcategory-container .dropdown__selector'), 600)
  if (!opener) return 'none'
  const picked = await pick({
    opener,
    options: () => shown('a[data-et-name="sub_category"]'),
    choose: (labels) => {
      const choice = chooseCategory(labels, category, title)
      return choice && labels[choice.index] !== 'None' ? choice : null
    },
    timeoutMs: 800,
  })
  return picked === null || picked === 'no_menu' ? 'none' : picked.sure ? 'same' : 'near'
}

function choose(labels: string[], { category, title }: ListingDraft): Choice | null {
  return chooseCategory(labels, category, title)
}

async function fillSize(size: string | null): Promise<Result> {
  const opener = await waitFor(() => one('[data-test="size"]'))
  if (!opener) return left(size ? 'no_field' : 'not_said', size)
  const box = opener.closest<HTMLElement>('.dropdown') ?? opener
  const options = () => shown('button[id^="size-"]:not([data-et-name])', box)
  const tabs = () => shown('a.navigation--horizontal__link', box).filter((tab) => textOf(tab) !== 'Custom')
  press(opener)
  await waitFor(() => options().length > 0 || tabs().length > 0)
  for (const tab of size ? [null, ...tabs()] : [null]) {
    if (tab) press(tab)
    const picked = await pick({
      opener: null,
      options,
      choose: (labels) => (size ? chooseSize(labels, size) : onlySize(labels)),
      timeoutMs: 600,
      shows: later,
    })
    if (!picked || picked === 'no_menu') continue
    const done = one('[data-et-name="apply"]', box)
    if (done) press(done)
    return chosen({ sure: picked.sure, seen: await shows(box, [picked.label]) }, box)
  }
  await close(opener, options)
  return left(size ? 'no_option' : 'not_said', size, box)
}

/** Returns the option for items without a size. */
function onlySize(labels: string[]): Choice | null {
  const choice = labels.length === 1 ? chooseSize(labels, 'One Size') : null
  return choice && { ...choice, sure: false }
}

async function fillCondition(label: string): Promise<Result> {
  const grade = gradeOf(label)
  const opener = await waitFor(() => one('.listing-editor__condition-container .dropdown__selector'))
  if (!opener) return left('no_field', label)
  if (!grade) return left(label ? 'no_option' : 'not_said', label || null, opener)
  const [code, same] = conditions[grade.grade]
  const picked = await pick({
    opener,
    options: () => shown('[data-et-name="listing_condition"]'),
    labelOf: (option) => option.getAttribute('data-et-prop-content') ?? '',
    choose: (codes) => chooseSame(codes, code),
  })
  if (picked === 'no_menu' || !picked) return left('no_option', label, opener)
  return chosen({ sure: same && grade.sure, seen: picked.seen }, opener)
}

const brandField = () => textField('input[placeholder="Enter the Brand/Designer"]')

/** Writes the brand. The site accepts free text but suggests its own spelling. */
async function fillBrand(brand: string | null, overwrite: boolean): Promise<Result> {
  if (!brand) return left('not_said')
  const field = await waitFor(brandField)
  if (!field) return left('no_field', brand)
  const done = await write(field, brand, { leave: false, overwrite })
  if (done !== 'written') return left(done, brand, field)
  const box = field.closest('.dropdown') ?? document
  const options = () => shown('.listing-editor__suggestions-list li', box)
  const choose = (labels: string[]) => chooseSame(labels, brand)
  const picked = await pick({ opener: null, options, choose, timeoutMs: 1_200, shows: () => field.value })
  if (picked !== null && picked !== 'no_menu') return chosen(picked, field)
  field.blur()
  return filled(field)
}

async function fillColours(colors: string[]): Promise<Result> {
  if (colors.length === 0) return left('not_said')
  const opener = await waitFor(() => one('[data-et-name="color"]'))
  const all = colors.join(', ')
  if (!opener) return left('no_field', all)
  const box = opener.closest<HTMLElement>('.dropdown') ?? opener
  const tiles = () => shown('li.listing-editor__tile--color', box)
  press(opener)
  const offered = (await waitFor(() => (tiles().length > 0 ? tiles() : null))) ?? []
  const labels = offered.map(textOf)
  const choices = colors.map((color) => chooseColour(labels, color)).filter((choice) => choice !== null)
  const taken = [...new Map(choices.map((choice) => [choice.index, choice])).values()].slice(0, max.colors)
  for (const { index } of taken) press(innermost(offered[index]!))
  const done = one('[data-et-name="apply"][data-et-on-name="color_tile"]', box)
  if (done) press(done)
  else await close(opener, tiles)
  if (taken.length === 0) return left(offered.length === 0 ? 'no_field' : 'no_option', all, box)
  if (taken.length < Math.min(colors.length, max.colors)) return check('no_option', box)
  if (colors.length > max.colors) return check('cut', box)
  const names = taken.map(({ index }) => labels[index]!)
  return chosen({ sure: taken.every(({ sure }) => sure), seen: await shows(box, names) }, box)
}

/** Returns true once a closed dropdown shows these words. */
async function shows(box: HTMLElement, words: readonly string[]): Promise<boolean> {
  const isThere = () => {
    const text = plain(shown('.dropdown__selector', box).map(textOf).join(' '))
    return words.every((word) => text.includes(plain(word)))
  }
  return Boolean(await waitFor(isThere, 800))
}

const priceField = () => textField('input[data-vv-name="listingPrice"]')

/** The price dialog's field, in both forms of the dialog (August and September 2026). */
const dialogPrice = () => textField('#listing-price-modal-listing-price-input, .listing-price-input')

/** Opens the price dialog, unless the form has. */
async function openPrice() {
  const shownPrice = await waitFor(priceField)
  if (!shownPrice) return null
  if (!dialogPrice()) press(shownPrice)
  return waitFor(dialogPrice)
}

/** Closes the price dialog, unless it would also send offers, with a minimum that nobody has chosen. */
async function closePrice(text: string): Promise<TextField | Result | null> {
  const doneIn = (part: Element) => shown('button', part).find((one) => /^done$/i.test(textOf(one)))
  let dialog = dialogPrice()?.parentElement
  while (dialog && !doneIn(dialog)) dialog = dialog.parentElement
  const offers = dialog && switchedOn(/^/, dialog)
  if (offers) return check('smart_sell', offers)
  const done = await waitFor(() => dialog && doneIn(dialog))
  if (!done) return null
  press(done)
  return waitFor(() => {
    const field = priceField()
    return field && sameAmount(field.value, text) ? field : null
  })
}

/** Returns the SKU field in the collapsed details that only the seller sees. */
function findSku() {
  const field = textField('input[data-vv-name="sku"]')
  const toggle = one('a.listing-editor-toggle-link')
  if (!field && toggle && /show/i.test(textOf(toggle))) press(toggle)
  return field
}

import type { createInventoryItem, InventoryItem, updateInventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Input } from '#shared/contract/declaring/route.ts'
import { conditionInWords } from '#shared/item/condition-words.ts'
import { type Flaw, withFlaws, withoutFlaws } from '#shared/item/flaws.ts'
import {
  type ParticularName,
  type Particulars,
  particularLines,
  particularNames,
  particularText,
  readParticular,
} from '#shared/item/particulars.ts'
import { conditionNotStated, isNoPhoto, noPhotoPath, untitled } from '#shared/item/placeholders.ts'
import { readMeasure, weightText, weightUnit } from '#shared/item/units.ts'
import { plainText } from '#shared/plain-text.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { ownUnits } from '../common/own-units.ts'

export type ItemChange = Input<typeof updateInventoryItem>['body']
export type NewItem = Input<typeof createInventoryItem>['body']

/** The fields of an item as the seller edits them: text, except for the pictures. */
export interface ItemForm {
  title: string
  description: string
  price: string
  currency: string
  cost: string
  condition: string
  notes: string
  sku: string
  location: string
  brand: string
  size: string
  colors: string
  category: string
  material: string
  weight: string
  upc: string
  ean: string
  isbn: string
  mpn: string
  images: string[]
  flaws: Flaw[]
  /** Measurements and particulars as they are typed, by name. */
  particulars: Partial<Record<ParticularName, string>>
}
export type FormField = keyof ItemForm

/** A problem of a field; each has its message. */
export type FormProblem =
  | 'needed'
  | 'amount'
  | 'above_zero'
  | 'weight'
  | 'length'
  | 'photo_needed'
  | 'refused'
  | 'sku_in_use'
export type FormProblems = Partial<Record<FormField, FormProblem>>

/** Text attributes of the API by their field. */
const attributeOf = {
  location: 'storage_location',
  brand: 'brand',
  size: 'size',
  category: 'category',
  material: 'material',
  upc: 'upc',
  ean: 'ean',
  isbn: 'isbn',
  mpn: 'mpn',
} as const satisfies Partial<Record<FormField, string>>
type TextField = keyof typeof attributeOf
const textFields = Object.keys(attributeOf) as TextField[]

/** Returns the form of a new item. */
export function emptyForm(currency: string): ItemForm {
  return {
    ...{ title: '', description: '', price: '', currency, cost: '', condition: '', notes: '', sku: '', location: '' },
    ...{ brand: '', size: '', colors: '', category: '', material: '', weight: '', upc: '', ean: '', isbn: '', mpn: '' },
    images: [],
    flaws: [],
    particulars: {},
  }
}

/** Returns an item as the form shows it. */
export function formOf({ record, attributes, sku, description }: InventoryItem): ItemForm {
  const { price_minor, currency } = record.offer
  const isDraft = attributes.draft === true
  const texts = Object.fromEntries(textFields.map((field) => [field, String(attributes[attributeOf[field]] ?? '')]))
  return {
    ...(texts as Record<TextField, string>),
    title: isDraft && record.title === untitled ? '' : record.title,
    description: plainText(description),
    price: isDraft && price_minor === 0 ? '' : amountText(price_minor, currency),
    currency,
    cost: attributes.cost_minor === undefined ? '' : amountText(attributes.cost_minor, currency),
    condition: isDraft && record.condition.label === conditionNotStated ? '' : conditionInWords(record.condition.label),
    notes: withoutFlaws(record.condition.notes, attributes.flaws ?? []),
    sku: sku ?? '',
    colors: attributes.colors?.join(', ') ?? '',
    weight: attributes.weight_grams === undefined ? '' : weightText(attributes.weight_grams, ownUnits()),
    images: record.images.filter((image) => !isNoPhoto(image)),
    flaws: attributes.flaws ?? [],
    particulars: Object.fromEntries(
      particularLines(attributes.particulars ?? {}, ownUnits()).map(({ name, text }) => [name, text]),
    ),
  }
}

/** Particulars that no two items share. */
const unique = ['serial_number', 'certification_number', 'shutter_count', 'edition_number'] as const

/** Returns the form of a second, like item: everything but what identifies the first, and its own photos. */
export function copyOf(item: InventoryItem): ItemForm {
  const form = formOf(item)
  for (const name of unique) delete form.particulars[name]
  return { ...form, sku: '', images: [], flaws: [] }
}

/** Returns a form in which nothing is empty that every item has, for a draft that lacks it. */
export function withPlaceholders(form: ItemForm, server: string): ItemForm {
  return {
    ...form,
    title: form.title.trim() || untitled,
    condition: form.condition.trim() || conditionNotStated,
    images: form.images.length > 0 ? form.images : [server + noPhotoPath],
  }
}

/** Returns the problems that even a draft must not have. One with a photo or a title lacks nothing. */
export function checkDraft(form: ItemForm): FormProblems {
  const problems = Object.entries(checkForm(form, { live: false }))
  const isNamed = form.title.trim() !== '' || form.images.length > 0
  return Object.fromEntries(
    problems.filter(([field, problem]) =>
      problem === 'needed' ? field === 'title' && !isNamed : problem !== 'photo_needed',
    ),
  )
}

/** Grams that a parcel does not reach. */
const maxGrams = 1_000_000

const readWeight = (weight: string) => readMeasure(weight, weightUnit[ownUnits()])

const isSameWeight = (weight: string, grams: number | undefined) =>
  grams !== undefined && weight.trim() === weightText(grams, ownUnits())

/** Checks a form. `live`: the item is on sale, so it needs a price. */
export function checkForm(form: ItemForm, { live }: { live: boolean }): FormProblems {
  const problems: FormProblems = {}
  const price = readAmount(form.price, form.currency)
  if (form.title.trim() === '') problems.title = 'needed'
  if (form.condition.trim() === '') problems.condition = 'needed'
  if (price === null) problems.price = form.price.trim() === '' ? 'needed' : 'amount'
  else if (live && price === 0) problems.price = 'above_zero'
  if (form.cost.trim() !== '' && readAmount(form.cost, form.currency) === null) problems.cost = 'amount'
  if (form.weight.trim() !== '' && (readWeight(form.weight) ?? maxGrams) >= maxGrams) problems.weight = 'weight'
  if (unreadableParticulars(form).length > 0) problems.particulars = 'length'
  if (form.images.length === 0) problems.images = 'photo_needed'
  return problems
}

/** Returns the particulars whose lengths cannot be read. */
export function unreadableParticulars({ particulars }: Pick<ItemForm, 'particulars'>): ParticularName[] {
  return particularNames.filter(
    (name) => particulars[name]?.trim() && readParticular(name, particulars[name], ownUnits()) === null,
  )
}

/** Returns the fields in which two forms differ. */
export function changedFields(one: ItemForm, other: ItemForm): FormField[] {
  return (Object.keys(one) as FormField[]).filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  )
}

/**
 * Returns the change that makes an item what a checked form says, with the version that the seller saw. Fields that
 * the seller did not touch are left out, so an HTML description stays unless it was edited.
 */
export function changeOf(form: ItemForm, item: InventoryItem): ItemChange {
  const before = formOf(item)
  const touched = new Set(changedFields(form, before))
  const given = <Value>(field: FormField, value: Value) => (touched.has(field) ? value : undefined)
  const hasFlaws = touched.has('notes') || touched.has('flaws')
  const condition = {
    label: given('condition', form.condition.trim()),
    notes: hasFlaws ? withFlaws(form.notes, flawsOf(form)) : undefined,
    evidence_urls: touched.has('flaws') ? photosOfFlaws(form, before, item.record.condition.evidence_urls) : undefined,
  }
  const price = readAmount(form.price, form.currency) ?? 0
  const offer = {
    // The same digits are another number of minor units in another currency.
    price_minor: touched.has('currency') ? price : given('price', price),
    currency: given('currency', form.currency),
  }
  const isAttribute = (field: FormField) =>
    ['cost', 'colors', 'weight', 'currency', 'particulars', 'flaws', ...textFields].includes(field)
  return withoutUndefined({
    version: item.version,
    title: given('title', form.title.trim()),
    description: given('description', form.description),
    sku: given('sku', form.sku.trim() || null),
    images: given('images', form.images),
    condition: touched.has('condition') || hasFlaws ? withoutUndefined(condition) : undefined,
    offer: touched.has('price') || touched.has('currency') ? withoutUndefined(offer) : undefined,
    // The API replaces attributes as a whole, so those without a field are sent back.
    attributes: [...touched].some(isAttribute) ? attributesOf(form, item.attributes) : undefined,
  })
}

/** Returns the new item that a checked form describes. */
export function newItemOf(form: ItemForm): NewItem {
  return withoutUndefined({
    title: form.title.trim(),
    images: form.images,
    condition: {
      label: form.condition.trim(),
      notes: withFlaws(form.notes, flawsOf(form)),
      ...(form.flaws.length > 0 ? { evidence_urls: photosOfFlaws(form, { flaws: [] }, []) } : {}),
    },
    offer: { price_minor: readAmount(form.price, form.currency) ?? 0, currency: form.currency },
    sku: form.sku.trim() || null,
    description: form.description,
    attributes: attributesOf(form, {}),
  })
}

function attributesOf(form: ItemForm, kept: InventoryItem['attributes']): NonNullable<NewItem['attributes']> {
  const colors = form.colors
    .split(',')
    .map((color) => color.trim())
    .filter((color) => color !== '')
  return withoutUndefined({
    ...kept,
    ...Object.fromEntries(textFields.map((field) => [attributeOf[field], form[field].trim() || undefined])),
    colors: colors.length > 0 ? colors : undefined,
    // Ounces are coarser than grams, so a weight that the seller did not touch stays.
    weight_grams: isSameWeight(form.weight, kept.weight_grams)
      ? kept.weight_grams
      : (readWeight(form.weight) ?? undefined),
    flaws: form.flaws.length > 0 ? flawsOf(form) : undefined,
    particulars: particularsOfForm(form, kept.particulars ?? {}),
    cost_minor: form.cost.trim() === '' ? undefined : (readAmount(form.cost, form.currency) ?? undefined),
  }) as NonNullable<NewItem['attributes']>
}

/** Returns the flaws that have words. A photo that the item no longer has is none of a flaw. */
function flawsOf({ flaws, images }: Pick<ItemForm, 'flaws' | 'images'>): Flaw[] {
  return flaws
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, photo }) => ({ text: text.trim(), ...(photo && images.includes(photo) ? { photo } : {}) }))
}

/** Returns the photos that show the condition: those of the flaws, and others that are kept. */
function photosOfFlaws(form: ItemForm, before: Pick<ItemForm, 'flaws'>, kept: readonly string[]): string[] {
  const former = new Set(before.flaws.map(({ photo }) => photo))
  const others = kept.filter((photo) => !former.has(photo))
  return [...new Set([...others, ...flawsOf(form).flatMap(({ photo }) => photo ?? [])])]
}

/** Returns the particulars of a form; undefined for none. Sixteenths of an inch that nobody touched stay. */
function particularsOfForm({ particulars }: ItemForm, kept: Particulars): Particulars | undefined {
  const values = particularNames.flatMap((name) => {
    const typed = particulars[name]?.trim() ?? ''
    if (typed === '') return []
    const isKept = typed === particularText(name, kept[name], ownUnits())
    return [[name, isKept ? kept[name]! : readParticular(name, typed, ownUnits())!]]
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}

/**
 * Merges a form into an item that changed since the seller opened it. The seller's edits stay; other fields take the
 * new values. `theirs` names every field that changed on the server.
 */
export function mergeForms(
  form: ItemForm,
  opened: InventoryItem,
  newest: InventoryItem,
): { form: ItemForm; theirs: FormField[] } {
  const [before, after] = [formOf(opened), formOf(newest)]
  const mine = changedFields(form, before)
  const kept = Object.fromEntries(mine.map((field) => [field, form[field]]))
  return { form: { ...after, ...kept }, theirs: changedFields(before, after) }
}

/** Returns the problems of the fields that the server names, such as `offer.price_minor`. */
export function refusedFields(names: readonly string[]): FormProblems {
  const ends: Record<string, FormField> = {
    'offer.price_minor': 'price',
    'offer.currency': 'currency',
    'condition.label': 'condition',
    'condition.notes': 'notes',
    'attributes.cost_minor': 'cost',
    'attributes.colors': 'colors',
    'attributes.weight_grams': 'weight',
    'attributes.particulars': 'particulars',
    'attributes.flaws': 'flaws',
    ...Object.fromEntries(textFields.map((field) => [`attributes.${attributeOf[field]}`, field])),
    ...{ title: 'title', description: 'description', sku: 'sku', images: 'images' },
  }
  const fields = names.flatMap((name) => {
    const known = Object.keys(ends).find((end) => name === end || name.startsWith(`${end}.`))
    return known ? [ends[known]!] : []
  })
  return Object.fromEntries(fields.map((field) => [field, 'refused']))
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}

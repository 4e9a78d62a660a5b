import { z } from 'zod'
import { maxPriceMinor } from '../price-change.ts'
import { Parcel, WeightGrams } from './item-details.ts'
import { type EditField, editFields, isText, numberPlace, type TextField, textFields } from './item-edit.ts'

const texts = Object.keys(textFields) as [TextField, ...TextField[]]
const neededFields: readonly EditField[] = ['title', 'condition']
const clearable = editFields.filter((field) => !neededFields.includes(field)) as [EditField, ...EditField[]]

const Field = z.enum(texts).describe('The field')
const given = z.string().min(1).max(600_000)

/** Returns the schema of a field's value. */
function schemaOf(field: EditField): z.ZodType {
  if (isText(field)) return given.max(textFields[field].most)
  return { cost_minor: z.int().min(0).max(maxPriceMinor), weight_grams: WeightGrams, parcel: Parcel }[field]
}

/** One step of an edit of many items. */
export const ItemEdit = z
  .discriminatedUnion('act', [
    z
      .strictObject({
        act: z.literal('set').describe('The kind of edit'),
        field: z.enum(editFields as [EditField, ...EditField[]]).describe('The field'),
        value: z
          .union([given, z.int().min(0), Parcel])
          .describe('A text; for `cost_minor` and `weight_grams` a number; for `parcel` the three sizes'),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .optional()
          .describe('Of `cost_minor`: items in another currency are left out'),
      })
      .superRefine(({ field, value }, context) => {
        for (const issue of schemaOf(field).safeParse(value).error?.issues ?? []) {
          context.addIssue({ code: 'custom', path: ['value', ...issue.path], message: issue.message })
        }
      }),
    z.strictObject({
      act: z.literal('add_before').describe('The kind of edit'),
      field: Field,
      value: given.describe('Put before the text as it is, without a space'),
    }),
    z.strictObject({
      act: z.literal('add_after').describe('The kind of edit'),
      field: Field,
      value: given.describe('Put after the text as it is, without a space'),
    }),
    z.strictObject({
      act: z.literal('replace').describe('The kind of edit'),
      field: Field,
      find: z.string().min(1).max(1_000).describe('Each place where it stands, with the same capitals'),
      value: z.string().max(10_000).describe('Put there; empty takes the words away'),
    }),
    z.strictObject({
      act: z.literal('number').describe('The kind of edit'),
      field: z.literal('sku').describe('The field'),
      value: z
        .string()
        .max(500)
        .regex(numberPlace, 'must have a number in braces, such as COAT-{001}')
        .describe('Numbers the items in the order of `uids`: `COAT-{001}` begins at COAT-001'),
    }),
    z.strictObject({
      act: z.literal('clear').describe('The kind of edit'),
      field: z.enum(clearable).describe('The field'),
    }),
  ])
  .meta({ id: 'ItemEdit' })
export type ItemEdit = z.infer<typeof ItemEdit>

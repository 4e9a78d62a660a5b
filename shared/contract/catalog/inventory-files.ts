import { z } from 'zod'
import { Availability } from '../../item/inventory-record.ts'
import { PlatformSlug } from '../../platforms.ts'
import { FieldError } from '../declaring/errors.ts'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { SalePlace } from '../selling/orders.ts'
import { FieldChange } from './inventory.ts'

const route = routesOf('Inventory')

/** Rows of a file. */
export const maxImportRows = 10_000

export const exportInventory = route({
  summary: 'The inventory as a CSV file',
  notes:
    'UTF-8 with a byte order mark, a line of column names, every cell in quotes, newest item first. Pictures are links, one a line. A cell that a spreadsheet would run as a formula begins with an apostrophe, which `import/` takes away again. `import/` reads the file back without a change.',
  method: 'GET',
  path: '/api/v1/inventory/export/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject({
    state: Availability.optional().meta(param('The state of the item')),
    platform: PlatformSlug.optional().describe('Has a listing on this platform'),
  }),
  streamed: true,
  replyType: 'text/csv',
  replies: { 200: z.string() },
})

/** Items of an export by their ids. */
const maxExportItems = 10_000

export const exportItems = route({
  summary: 'Some items as a CSV file',
  notes: `The file of \`GET /api/v1/inventory/export/\`, with the items of \`uids\` only, newest first. An id that names nothing of yours is left out.`,
  method: 'POST',
  path: '/api/v1/inventory/export/',
  auth: { scope: 'inventory:read' },
  body: z.strictObject({ uids: z.array(z.string().max(40)).min(1).max(maxExportItems).describe('Ids of items') }),
  worksOnLowDisk: true,
  streamed: true,
  replyType: 'text/csv',
  replies: { 200: z.string() },
})

/** Programs whose files are recognized by their column names; "hapax" is our own format. */
export const FileFormat = z.enum([
  ...(['hapax', 'ebay', 'etsy', 'crosslist', 'vendoo', 'list_perfectly'] as const),
  ...(['shopify', 'woocommerce', 'square', 'amazon'] as const),
])
export type FileFormat = z.infer<typeof FileFormat>

/** The kinds of files. `catalog` is a listing template or a shop's list of products. Only these two are imported. */
export const FileKind = z.enum(['stock', 'catalog', 'sales', 'orders', 'payouts'])
export type FileKind = z.infer<typeof FileKind>

/** A live listing that a row changes or ends. */
export const ChangedListing = z
  .object({
    platform: PlatformSlug.describe('The platform'),
    url: z.string().nullable().describe('Its page; null while it is being published'),
    from: z.string().describe('Its price as it was last read'),
    to: z
      .string()
      .nullable()
      .describe('Its new price, that of `from` where only the seller can change it; null where the listing ends'),
    currency: z.string().describe('The currency of both'),
    ends_sale: z.boolean().optional().describe('The new price ends the sale event that it is in'),
  })
  .meta({ id: 'ChangedListing' })
export type ChangedListing = z.infer<typeof ChangedListing>

/** The outcome of one row of a file, or in a dry run the expected one. */
export const ImportedRow = z
  .object({
    row: z.int().describe('Its number in the file, without the column names: 1 is the first'),
    action: z
      .enum(['create', 'update', 'none', 'ask', 'fail'])
      .describe(
        '`none`: the item is like that already. `ask`: nothing is done before the questions in `errors` are answered',
      ),
    uid: z.string().nullable().describe('The item; null where there is none yet'),
    sku: z.string().nullable().describe("The seller's own number of the item"),
    title: z.string().describe('The title'),
    errors: z.array(FieldError).describe('Why it fails; with `none`, why it is left out; with `ask`, the questions'),
    changes: z
      .array(FieldChange)
      .optional()
      .describe(
        'Columns that change, with old and new values; those of a new item have no old ones. Long texts are cut',
      ),
    currency: z.string().optional().describe('The currency of the prices in `changes` of an item that is there'),
    listings: z.array(ChangedListing).optional().describe('Live listings that change or end with the item'),
    sale: z
      .object({
        platform: SalePlace.describe('Where it was sold'),
        sold_at: z.iso.datetime().describe('When; noon in UTC where the file tells the day'),
        price: z.string().describe('The price, as a decimal'),
        currency: z.string().describe('The currency of all amounts'),
        fee: z.string().nullable().describe('The share of the platform'),
        shipping: z.string().nullable().describe('What its shipping cost'),
      })
      .optional()
      .describe('The sale of the past by which the new item is sold'),
    like: z
      .object({
        uid: z.string().describe('The id'),
        sku: z.string().nullable().describe("The seller's own number of the item"),
        title: z.string().describe('The title'),
        image: z.string().nullable().describe('The first photo'),
      })
      .optional()
      .describe(
        'With `confirm_same_item`: the item that the row may be about. `changes` and `listings` are what changes if it is',
      ),
  })
  .meta({ id: 'ImportedRow' })
export type ImportedRow = z.infer<typeof ImportedRow>

const ImportedFile = z.object({
  dry_run: z.boolean().describe('Whether nothing was changed'),
  format: FileFormat.describe('The program that made the file. The columns of `list_perfectly` are not confirmed'),
  kind: FileKind.optional().describe('The kind of the file: `stock`, or for a template or product list `catalog`'),
  ignored_columns: z.array(z.string()).describe('Columns that are not imported, as the file names them'),
  results: z.array(ImportedRow).describe('The entries of this page'),
  created: z.int().describe('Rows that add an item'),
  updated: z.int().describe('Rows that change an item'),
  unchanged: z.int().describe('Rows whose item is like that already'),
  failed: z.int().describe('Rows that are not imported'),
  asked: z.int().optional().describe('Rows that wait for an answer of the seller'),
  sales: z.int().optional().describe('Rows that add a sold item with its sale of the past; `created` counts them, too'),
  preview: z
    .string()
    .optional()
    .describe('Of a dry run: names what it showed, so that an import can answer its questions'),
  change_uid: z
    .string()
    .nullable()
    .optional()
    .describe(
      'The change that gives items and listings their former prices, see `undoChange`; null where no price changed',
    ),
  sales_change_uid: z
    .string()
    .nullable()
    .optional()
    .describe('The change that takes the sales of the past back, with their items; null where there are none'),
  added_change_uid: z
    .string()
    .nullable()
    .optional()
    .describe('The change that takes the other new items out again; null where there are none'),
})
export type ImportedFile = z.infer<typeof ImportedFile>

/** Rows by their numbers, such as `3,7-9`. */
const RowNumbers = z
  .string()
  .max(6_000)
  .regex(/^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/, 'must be numbers of rows such as 3,7-9')
  .optional()

/** A text or the bytes of a file. */
const CsvFile = z
  .custom<string | Uint8Array>((value) => typeof value === 'string' || value instanceof Uint8Array)
  .meta({ type: 'string' })

export const importInventory = route({
  summary: 'Add and change items from a CSV file',
  notes: `At most ${maxImportRows.toLocaleString('en')} rows; comma, semicolon, tab and bar separate cells. UTF-8, or the \`charset\` of the Content-Type, uncompressed; the bytes decide where none is named. A row with more cells than columns fails. A row changes the item that has its \`uid\`, else the one that has its \`sku\`, else it adds one, unless the same row has added one before. Columns that are left out stay as they are, unknown ones are ignored. A file of sales, orders or payouts is refused with \`file_not_stock\`. Items that are sold, ended or several fail with \`left_out\`, and a row in another currency than its item with \`currency_differs\`. Rows are independent: a bad one fails and the others are imported. Look at the result of \`dry_run=true\` first. A row that needs the seller has the action \`ask\`, changes nothing, and names the questions in \`errors\`: \`confirm_live_price\` (live listings get another price, or keep theirs where only the seller can change it), \`confirm_end_listing\` (live listings end, or the file says that an item for sale is sold), \`confirm_large_price_change\` (the price more than doubles or falls below half) and \`confirm_same_item\` (the row looks like an item that it does not name, or would turn an item into another). Send the file again with the \`preview\` of the dry run and the answers; a row that would do something else by now is asked again. Changed prices can be undone by \`change_uid\`; withdrawals and other changes stand in \`GET /api/v1/changes/\`. One file of an account is imported at a time. The answer arrives in parts, while the rows are imported. When the connection breaks the rest is imported all the same, unless it is a dry run; send the file again to see its rows, since no row adds an item twice.`,
  method: 'POST',
  path: '/api/v1/inventory/import/',
  auth: { scope: 'inventory:write' },
  query: z.strictObject({
    dry_run: z.enum(['true', 'false']).optional().describe('`true`: says what would happen, and changes nothing'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters')
      .optional()
      .describe(
        'Currency of rows without one. Default: that of the item, for new items that of the account (its settings, shops or address)',
      ),
    preview: z.string().max(1_000).optional().describe('The `preview` of the dry run whose questions are answered'),
    confirm_prices: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: live listings get the new prices, except where a price more than doubles or falls below half'),
    confirm: RowNumbers.describe('Rows whose change is confirmed with its prices and listings, such as `3,7-9`'),
    same: RowNumbers.describe('Rows that are about the item of `like`'),
    new: RowNumbers.describe('Rows that are no item yet. One whose SKU another item has is added without it'),
  }),
  bodyType: 'text/csv',
  body: CsvFile,
  streamed: true,
  replies: { 200: ImportedFile },
  errors: ['file_not_stock', 'file_not_understood', 'conflict'],
})

export const inventoryFiles = { exportInventory, exportItems, importInventory }

import { z } from 'zod'
import { Parcel, WeightGrams } from './item-details.ts'

/** The state of a listing on its platform. */
export const ListingState = z.enum(['available', 'reserved', 'sold', 'removed'])
export type ListingState = z.infer<typeof ListingState>

/**
 * The normal form of every adapter, pulled or scraped. Types are strict, values are not: a bad URL or price becomes a
 * failed import item (imports/decide), never a lost batch.
 */
export const Listing = z
  .strictObject({
    listing_id: z.string().min(1).max(200).describe("The platform's own id of the listing"),
    url: z.string().max(4_000),
    title: z.string().max(10_000),
    description: z.string().max(600_000),
    price_minor: z.number().describe('Price in minor currency units'),
    currency: z.string().max(20),
    state: ListingState,
    images: z.array(z.string().max(4_000)).max(200).describe('Full-size addresses, cover first, in order'),
    sku: z.string().max(500).optional(),
    brand: z.string().max(500).optional(),
    size: z.string().max(500).optional(),
    condition: z.string().max(500).optional().describe("The platform's word for the condition"),
    category: z.string().max(1_000).optional(),
    colors: z.array(z.string().max(200)).max(50).optional(),
    isbn: z.string().max(50).optional(),
    ean: z.string().max(50).optional(),
    upc: z.string().max(50).optional(),
    mpn: z.string().max(100).optional().describe("The manufacturer's part number"),
    material: z.string().max(500).optional(),
    weight_grams: WeightGrams.optional().describe('Of the packed item'),
    parcel: Parcel.optional().describe('Size of the packed item'),
    listed_at: z.iso.datetime({ offset: true }).optional(),
    quantity: z.int().min(0).optional().describe('Units on offer, when the platform counts them; 1 when left out'),
    format: z.enum(['fixed_price', 'auction']).optional(),
    condition_notes: z.string().max(10_000).optional(),
    seller_url: z.string().max(4_000).optional(),
    details_unread: z.literal(true).optional().describe('Brand, size and the like are still to be read'),
  })
  .meta({ id: 'Listing' })
export type Listing = z.infer<typeof Listing>

/** Closed list of reasons why a listing could not be imported. */
export const ImportErrorCode = z.enum([
  'invalid_price',
  'missing_title',
  'missing_images',
  'unsupported_currency',
  'invalid_url',
  'fetch_failed',
  'page_changed',
  'record_invalid',
  'quota_exceeded',
  'internal',
])
export type ImportErrorCode = z.infer<typeof ImportErrorCode>

/** A listing that was seen but could not be read; it is counted and shown, never dropped. */
export const ListingFailure = z
  .strictObject({
    listing_id: z.string().min(1).max(200),
    url: z.string().max(4_000).optional(),
    title: z.string().max(10_000).optional(),
    price_minor: z.int().min(0).optional().describe('Minor units, where the list of listings told it'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    sku: z.string().max(1_000).optional(),
    error_code: ImportErrorCode,
    error_message: z.string().max(2_000),
    field: z.string().max(200).optional().describe('The field that was not understood, for page_changed'),
  })
  .meta({ id: 'ListingFailure' })
export type ListingFailure = z.infer<typeof ListingFailure>

/** Which listings of a shop an import includes. */
export const ImportState = z.enum(['active', 'inactive', 'sold', 'ended'])
export type ImportState = z.infer<typeof ImportState>

import { z } from 'zod'
import { Parcel, WeightGrams } from './item/item-details.ts'

/** The state of a listing on its platform. */
export const ListingState = z.enum(['available', 'reserved', 'sold', 'removed'])
export type ListingState = z.infer<typeof ListingState>

/** How a listing is sold, as far as that decides what Hapax can do with it. */
export const ListingTerms = z
  .strictObject({
    format: z.enum(['fixed_price', 'auction']).optional().describe('The format of the listing'),
    bids: z.int().min(0).optional().describe('Bids on an auction, when it was read'),
    ends_at: z.iso.datetime({ offset: true }).optional().describe('When an auction ends'),
    site: z.string().max(50).optional().describe("The marketplace's own name of the site that it is listed on"),
    has_variations: z.literal(true).optional().describe('It has variations, each with a price of its own'),
    on_hold: z.literal(true).optional().describe('The marketplace blocks purchases until the seller has changed it'),
    sale: z
      .strictObject({
        price_minor: z.int().min(0).describe('The price that buyers see, in minor units of its currency'),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .describe('The currency, as three letters (ISO 4217)'),
        ends_at: z.iso.datetime({ offset: true }).optional().describe('Its end, where the marketplace names one'),
      })
      .optional()
      .describe(
        'The sale event that lowers what buyers see, when it was read. The price itself stays the seller’s own',
      ),
  })
  .meta({ id: 'ListingTerms' })
export type ListingTerms = z.infer<typeof ListingTerms>

/**
 * The normal form of every adapter, pulled or scraped. Types are strict, values are not: a bad URL or price becomes a
 * failed import item (imports/decide), never a lost batch.
 */
export const Listing = z
  .strictObject({
    listing_id: z.string().min(1).max(200).describe("The platform's own id of the listing"),
    url: z.string().max(4_000).describe('The address'),
    title: z.string().max(10_000).describe('The title'),
    description: z.string().max(600_000).describe('A text for people'),
    price_minor: z.number().describe('Price in minor currency units'),
    currency: z.string().max(20).describe('The currency, as three letters (ISO 4217)'),
    state: ListingState.describe('The state of the item'),
    images: z.array(z.string().max(4_000)).max(200).describe('Full-size addresses, cover first, in order'),
    sku: z.string().max(500).optional().describe("The seller's own number of the item"),
    brand: z.string().max(500).optional().describe('The brand'),
    size: z.string().max(500).optional().describe('The size, in words'),
    condition: z.string().max(500).optional().describe("The platform's word for the condition"),
    category: z.string().max(1_000).optional().describe('The category, in words'),
    colors: z.array(z.string().max(200)).max(50).optional().describe('The colors, in words'),
    isbn: z.string().max(50).optional().describe('The International Standard Book Number'),
    ean: z.string().max(50).optional().describe('The European Article Number'),
    upc: z.string().max(50).optional().describe('The Universal Product Code'),
    mpn: z.string().max(100).optional().describe("The manufacturer's part number"),
    material: z.string().max(500).optional().describe('The material'),
    weight_grams: WeightGrams.optional().describe('Of the packed item'),
    parcel: Parcel.optional().describe('Size of the packed item'),
    listed_at: z.iso.datetime({ offset: true }).optional().describe('When it was listed'),
    quantity: z.int().min(0).optional().describe('Units on offer, when the platform counts them; 1 when left out'),
    format: z.enum(['fixed_price', 'auction']).optional().describe('The format of the listing'),
    terms: ListingTerms.omit({ format: true }).optional().describe('How it is sold'),
    condition_notes: z.string().max(10_000).optional().describe('Notes on the condition'),
    seller_url: z.string().max(4_000).optional().describe('The page of the seller'),
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
    listing_id: z.string().min(1).max(200).describe('The id of the listing on the platform'),
    url: z.string().max(4_000).optional().describe('The address'),
    title: z.string().max(10_000).optional().describe('The title'),
    price_minor: z.int().min(0).optional().describe('Minor units, where the list of listings told it'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional()
      .describe('The currency, as three letters (ISO 4217)'),
    sku: z.string().max(1_000).optional().describe("The seller's own number of the item"),
    error_code: ImportErrorCode.describe('The code of the error'),
    error_message: z.string().max(2_000).describe('The error, in a sentence'),
    field: z.string().max(200).optional().describe('The field that was not understood, for page_changed'),
  })
  .meta({ id: 'ListingFailure' })
export type ListingFailure = z.infer<typeof ListingFailure>

/** Returns true for a listing that could not be read. */
export function isListingFailure(result: Listing | ListingFailure): result is ListingFailure {
  return 'error_code' in result
}

/** Which listings of a shop an import includes. */
export const ImportState = z.enum(['active', 'inactive', 'sold', 'ended'])
export type ImportState = z.infer<typeof ImportState>

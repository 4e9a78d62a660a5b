import { z } from 'zod'
import { Id } from '../../identity.ts'
import { bodySizes } from '../declaring/body-sizes.ts'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Images')
const write = { scope: 'inventory:write' } as const
const ImageParams = z.strictObject({ id: Id('img').meta(param('The id')) })

export const Image = z
  .object({
    id: z.string().describe('Unguessable: its addresses are open to anybody who knows them'),
    url: z.string().describe('The largest size, for `images` of an item'),
    type: z.string().describe('Media type of the original; the sizes are `image/jpeg`'),
    width: z.int().describe('Pixels of the original, upright'),
    height: z.int().describe('Pixels of the original, upright'),
    bytes: z.int().describe('Of the original and all sizes together, as they count for the quota'),
    created_at: z.iso.datetime().describe('When it was created'),
    sizes: z
      .array(
        z.object({
          size: z.int().describe('The longest side is at most this'),
          url: z.string().describe('The address'),
        }),
      )
      .describe('Smallest first. A small original is not enlarged'),
  })
  .meta({ id: 'Image' })
export type Image = z.infer<typeof Image>

/** A file in the body of a request. */
const ImageBytes = z
  .custom<Blob | Uint8Array>((value) => value instanceof Uint8Array || value instanceof Blob)
  .meta({ type: 'string', format: 'binary' })

export const createImage = route({
  summary: 'Upload a photo',
  notes: `Send the file as the body, or as the only file of a form (\`multipart/form-data\`): JPEG, PNG, WebP, AVIF or HEIC of at most ${bodySizes.upload / 1_000_000} MB and 60 megapixels (20 if not JPEG). The format is detected from the bytes. The original is kept unchanged and private, a HEIC as JPEG. The sizes are upright JPEGs without EXIF data, so they name no place or device. The same file again answers 200 with the image that exists; it is safe to repeat. Put \`url\` into \`images\` of an item: an image that no item uses is removed after a week, and one whose last item is deleted within minutes.`,
  method: 'POST',
  path: '/api/v1/images/',
  auth: write,
  bodyType: 'image',
  body: ImageBytes,
  replies: { 200: Image, 201: Image },
  location: '/api/v1/images/{id}/',
  errors: ['invalid_image', 'unsupported_image', 'quota_exceeded'],
})

export const getImage = route({
  summary: 'A photo with its sizes',
  method: 'GET',
  path: '/api/v1/images/{id}/',
  auth: { scope: 'inventory:read' },
  params: ImageParams,
  replies: { 200: Image },
})

export const rotateImage = route({
  summary: 'Turn a photo',
  notes:
    'Makes another image from the original, because addresses never change what they show. Put its `url` in the place of the old one.',
  method: 'POST',
  path: '/api/v1/images/{id}/rotate/',
  auth: write,
  params: ImageParams,
  body: z.strictObject({ degrees: z.literal([90, 180, 270]).describe('Clockwise, from how it is now') }),
  replies: { 200: Image, 201: Image },
  location: '/api/v1/images/{id}/',
  errors: ['quota_exceeded'],
})

export const deleteImage = route({
  summary: 'Delete a photo that no item uses',
  method: 'DELETE',
  path: '/api/v1/images/{id}/',
  auth: write,
  params: ImageParams,
  replies: { 204: null },
  errors: ['conflict'],
})

export const images = { createImage, getImage, rotateImage, deleteImage }

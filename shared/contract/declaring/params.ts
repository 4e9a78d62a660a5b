import { z } from 'zod'
import { Id, type IdPrefix } from '../../identity.ts'

/** Returns the description of a query or path parameter whose schema is not described itself, for `.meta()`. */
export const param = (description: string) => ({ param: { description } })

/** Returns the path parameters of a route that names one thing by its id. */
export const UidParams = (prefix: IdPrefix) => z.strictObject({ uid: Id(prefix).meta(param('The id in the path')) })

/** The path parameters of a route that names a platform. */
export const SlugParams = z.strictObject({ slug: z.string().max(50).meta(param('The platform by its short name')) })

import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/** How long an invitation can be used, in seconds. */
const invitationSeconds = 7 * 86_400

/** Makes a link that lets one person register. Only its hash is stored. Throws `registration_closed`. */
export async function invite(
  { config }: Pick<Services, 'config'>,
  queries: Queries,
): Promise<{ url: string; expires_at: string }> {
  if (config.REGISTRATION === 'closed')
    throw problem('registration_closed', 'REGISTRATION=closed takes no invitations.')
  const token = newSecret('hpxi')
  const { expires_at } = await queries.one(
    sql.insertInvitation({ token_hash: hashSecret(token), expires_in: invitationSeconds }),
  )
  return { url: `${config.PUBLIC_URL}/connect/register/?to=app&invitation=${token}`, expires_at }
}

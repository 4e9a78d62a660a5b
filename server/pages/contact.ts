import type { Config } from '#server/config.ts'
import { type Html, html } from '#server/infra/html.ts'

/** Returns a sentence that says whom sellers may ask; empty where the operator gave no address. */
export function contact({ OPERATOR_NAME, OPERATOR_EMAIL }: Config): Html | false {
  return (
    OPERATOR_EMAIL !== undefined &&
    html` Questions: <a href="mailto:${OPERATOR_EMAIL}">${OPERATOR_NAME ?? OPERATOR_EMAIL}</a>.`
  )
}

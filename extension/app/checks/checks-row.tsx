import { text } from '#extension/i18n/text.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { useHost } from '../host.ts'

/** Says how many findings the checks have. Urgent ones have alerts of their own, too. */
export function ChecksRow({ checks }: Pick<Overview, 'checks'>) {
  const { page } = useHost()
  if (checks.count === 0) return null
  return (
    <section class="part" aria-label={text('checks.title')}>
      <ul class="rows">
        <li>
          <div class="grow">
            <p>{text('checks.row', { n: checks.count })}</p>
            {checks.sold_live > 0 && <p class="bad">{text('checks.row_sold', { n: checks.sold_live })}</p>}
          </div>
          <a class="button" href={`${page}#checks`} target={page ? '_blank' : undefined}>
            {text('checks.review')}
          </a>
        </li>
      </ul>
    </section>
  )
}

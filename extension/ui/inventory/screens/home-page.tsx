import { Check } from 'lucide-preact'
import { text } from '#extension/i18n/text.ts'
import { collectNeeds, countNeeds } from '#extension/messaging/count-needs.ts'
import { finishedLike, isFinished, newestOf, type ImportRow as Row } from '#extension/messaging/import-row.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { send } from '#extension/messaging/send.ts'
import { Announcer } from '#extension/ui/components/announcer.tsx'
import { ImportRow } from '#extension/ui/components/import-row.tsx'
import { NeedsYou } from '#extension/ui/components/needs-you.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { whenText } from '#extension/ui/format.ts'
import { useAction } from '#extension/ui/hooks/use-request.ts'
import { relist } from '#extension/ui/relist.ts'
import { byUrgency } from '#extension/ui/urgency.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { GetStarted } from '../parts/get-started.tsx'
import { RecentSales } from '../parts/recent-sales.tsx'
import { ShopRows } from '../parts/shop-rows.tsx'

/** The first screen: what needs the seller, what was sold, imports and shops. Notifications lead here. */
export function HomePage(props: { overview: Overview; refresh: () => Promise<void> }) {
  const { overview, refresh } = props
  const { platforms, imports, tasks, trouble, as_of } = overview
  const needs = collectNeeds(overview)
  const { busy, late, problem, act } = useAction()
  const nameOf = (slug: string) => platforms.find((platform) => platform.slug === slug)?.name ?? slug
  const look = (row: Row) => {
    if (row.job) location.hash = row.counts?.to_look_at ? `decisions/${row.job}` : `imports/${row.job}/any`
  }
  const again = (slug: PlatformSlug) =>
    act(slug, async () => {
      if (slug !== 'ebay' && slug !== 'etsy') return
      await send('popup.import', { platform: slug })
      await refresh()
    })
  const isNew = as_of !== null && overview.items === 0 && imports.length === 0 && countNeeds(overview) === 0
  return (
    <main class="page item home">
      <h1 class="hidden" tabIndex={-1}>
        {text('home.title')}
      </h1>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {trouble && (
        <Notice tone="plain" action={{ label: text('home.retry'), act: refresh }}>
          {as_of === null
            ? text('home.offline_never')
            : text('home.offline', { n: overview.items, time: whenText(as_of) })}
        </Notice>
      )}
      {tasks === null && <Notice tone="warn">{text('task.no_scope')}</Notice>}
      <Announcer imports={newestOf(imports)} nameOf={nameOf} />
      <NeedsYou
        needs={{ ...needs, tasks: byUrgency(needs.tasks) }}
        tasksAtFirst={20}
        busy={busy}
        nameOf={nameOf}
        onLook={look}
        onRelist={(alert) => act(alert.uid, () => relist(alert).then(refresh))}
        onDismissAlert={(alert) =>
          act(alert.uid, async () => {
            await send('popup.dismissAlert', { uid: alert.uid })
            await refresh()
          })
        }
        onOpen={(task) => act(task.uid, async () => void (await send('popup.openTask', { uid: task.uid })))}
        onFinish={(task, how) =>
          act(task.uid, async () => {
            await send('popup.finishTask', { uid: task.uid, how })
            await refresh()
          })
        }
        onCancel={(row) =>
          act('cancel', async () => {
            if (row.scrape) await send('popup.cancelImport', { scrape: row.scrape })
            await refresh()
          })
        }
        onRetry={(row) =>
          act('try again', async () => {
            if (row.scrape) await send('popup.retryImport', { scrape: row.scrape })
            await refresh()
          })
        }
      />
      {tasks && !isNew && countNeeds(overview) === 0 && (
        <p class="calm" role="status">
          {!trouble && <Check size={16} aria-hidden="true" />}
          {text(trouble ? 'home.nothing_needed_you' : 'home.nothing_needs_you')}
        </p>
      )}
      {isNew && <GetStarted platforms={platforms} busy={busy} onImport={(platform) => void again(platform)} />}
      {!isNew && <RecentSales asOf={as_of} />}
      {imports.length > 0 && (
        <section class="part" aria-labelledby="imports">
          <h2 id="imports">{text('home.imports')}</h2>
          <ul class="rows">
            {newestOf(imports).map((row) => (
              <ImportRow
                key={row.scrape ?? row.id}
                row={row}
                name={nameOf(row.platform)}
                onLook={row.job && row.counts ? () => look(row) : null}
                again={
                  row.platform === 'ebay' || row.platform === 'etsy'
                    ? { act: () => again(row.platform) }
                    : { href: row.shop_url ?? platforms.find(({ slug }) => slug === row.platform)?.url ?? '' }
                }
                onDismiss={() =>
                  act('dismiss', async () => {
                    for (const { id } of finishedLike(row, imports)) await send('popup.dismiss', { id })
                    await refresh()
                  })
                }
              />
            ))}
          </ul>
        </section>
      )}
      {!isNew && (
        <section class="part" aria-labelledby="shops">
          <h2 id="shops">{text('home.shops')}</h2>
          <ShopRows
            overview={overview}
            busy={busy}
            isImporting={(slug) => imports.some((row) => row.platform === slug && !isFinished(row))}
            onImport={(slug) => void again(slug)}
          />
        </section>
      )}
      {!isNew && (
        <p class="part">
          <a href="#changes">{text('changes.title')}</a>
        </p>
      )}
    </main>
  )
}

import { Check, CircleUserRound, Table2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { collectNeeds, countNeeds } from '#extension/messaging/count-needs.ts'
import { newestOf, type ImportRow as Row } from '#extension/messaging/import-row.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { whenText } from '../common/format.ts'
import { Announcer } from '../components/announcer.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { NoAccess } from '../components/no-access.tsx'
import { Notice } from '../components/notice.tsx'
import { ImportList } from '../home/import-list.tsx'
import { NeedsYou } from '../home/needs-you.tsx'
import { useOverviewActions } from '../hooks/use-overview-actions.ts'
import { send, useHost } from '../host.ts'
import { FailingShops, PlatformDots } from '../shops/platform-dots.tsx'
import { inventoryUrl, type Place } from './place.ts'
import { Search } from './search.tsx'
import { text } from './words.ts'

/** The first screen: tasks for the seller, imports and shops. */
export function Home(props: {
  overview: Overview
  note: string | null
  onNoteRead: () => void
  go: (place: Place) => void
  refresh: () => Promise<void>
  slow: boolean
}) {
  const { overview, go, refresh, slow } = props
  const { platforms, imports, trouble } = overview
  const { running } = overview.takeDowns
  const { busy, late, problem, importAgain, dismissImport, stopImport, ...actions } = useOverviewActions(refresh)
  const nameOf = (slug: string) => platforms.find((platform) => platform.slug === slug)?.name ?? slug
  const look = (row: Row) => row.job && go({ screen: 'issues', job: row.job, platform: nameOf(row.platform) })
  const [searching, setSearching] = useState(false)
  const needs = collectNeeds(overview)
  const unknown = overview.as_of === null
  const nothingYet =
    !unknown &&
    overview.items === 0 &&
    needs.tasks.length === 0 &&
    needs.alerts.length === 0 &&
    imports.length === 0 &&
    platforms.every((platform) => platform.health === 'none')
  const lowRisk = countNeeds(overview) === 0 && !imports.some(({ incomplete }) => incomplete)
  const isOfNow = trouble === null && !slow

  return (
    <>
      <header class="head">
        <h1>{text('app.name')}</h1>
        <span class="grow" />
        <a
          class="button icon"
          href={inventoryUrl}
          target="_blank"
          rel="noreferrer"
          title={text('home.inventory')}
          aria-label={text('home.inventory')}
        >
          <Table2 size={18} aria-hidden="true" />
        </a>
        <IconButton
          icon={CircleUserRound}
          size={18}
          label={text('account.title')}
          onClick={() => go({ screen: 'account' })}
        />
        <PlatformDots overview={overview} />
      </header>
      {props.note && (
        <Notice tone="plain" action={{ label: text('dismiss'), act: props.onNoteRead }}>
          {props.note}
        </Notice>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {trouble ? <Trouble overview={overview} onRetry={refresh} /> : slow && <Slow overview={overview} />}
      {running && (
        <Notice
          tone="plain"
          action={{
            label: text('stop'),
            act: () => void send('takeDowns.switch', { platform: running.platform, on: false }).finally(refresh),
          }}
        >
          {text('downs.running', { title: running.title, platform: nameOf(running.platform) })}
        </Notice>
      )}
      {overview.tasks === null && <Notice tone="warn">{text('task.no_scope')}</Notice>}
      <Announcer imports={newestOf(imports)} nameOf={nameOf} />
      <main class="screen">
        <div class="body" hidden={searching}>
          <FailingShops overview={overview} class="part bad" />
          <NeedsYou needs={needs} busy={busy} tasksAtFirst={5} nameOf={nameOf} onLook={look} {...actions} />
          {lowRisk && !nothingYet && !unknown && (
            <p class="calm">
              {isOfNow && <Check size={16} aria-hidden="true" />}
              {text(isOfNow ? 'home.nothing_needs_you' : 'home.nothing_needed_you')}
            </p>
          )}
          <ImportList
            overview={overview}
            hasMore={(row) => (row.counts?.failed ?? 0) > 0 || Boolean(row.incomplete)}
            onLook={look}
            onAgain={importAgain}
            onDismiss={(row) => void dismissImport(row, imports)}
            onStop={(row) => void stopImport(row)}
          />
          {unknown && <p class="part soft">{text('home.unknown')}</p>}
          {nothingYet && <Empty overview={overview} />}
        </div>
        <Search open={searching} onOpen={setSearching} />
      </main>
    </>
  )
}

function Empty({ overview }: { overview: Overview }) {
  const { server } = useHost()
  const read = overview.platforms.filter((platform) => platform.connection === 'extension')
  return (
    <section class="center" aria-labelledby="empty">
      <h2 id="empty">{text('empty.title')}</h2>
      <p class="shops">
        {overview.platforms
          .filter((platform) => platform.connection === 'oauth')
          .map((platform) => (
            <a
              key={platform.slug}
              class="button"
              href={`${server}/connect/?to=${platform.slug}`}
              target="_blank"
              rel="noreferrer"
            >
              {platform.name}
            </a>
          ))}
      </p>
      <p class="soft">
        {text('empty.text', {
          platforms: new Intl.ListFormat('en', { type: 'disjunction' }).format(read.map((platform) => platform.name)),
        })}
      </p>
    </section>
  )
}

/** Shown while the server is slow: the data below is older. */
function Slow({ overview: { as_of, items } }: { overview: Overview }) {
  return (
    <Notice tone="plain">
      {as_of === null ? text('home.slow_never') : text('home.slow', { n: items, time: whenText(as_of) })}
    </Notice>
  )
}

function Trouble({ overview, onRetry }: { overview: Overview; onRetry: () => void }) {
  const { trouble, as_of, items } = overview
  if (trouble?.code === 'permission' && overview.session) {
    return <NoAccess server={overview.session.server} onAllowed={onRetry} />
  }
  const offline = trouble?.code === 'offline'
  const words =
    as_of === null
      ? text(offline ? 'home.offline_never' : 'home.failed_never')
      : offline
        ? text('home.offline', { n: items, time: whenText(as_of) })
        : text('home.failed', { time: whenText(as_of) })
  return (
    <Notice tone={offline ? 'plain' : 'warn'} action={{ label: text('retry'), act: onRetry }}>
      {words} {overview.unsent > 0 && text('home.unsent', { n: overview.unsent })}
    </Notice>
  )
}

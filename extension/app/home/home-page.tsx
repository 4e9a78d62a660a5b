import { Check } from 'lucide-preact'
import type { ComponentChildren, ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { collectNeeds, countNeeds } from '#extension/messaging/count-needs.ts'
import { isFinished, needsSeller, newestOf, type ImportRow as Row } from '#extension/messaging/import-row.ts'
import { isConnected, type Overview } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { whenText } from '../common/format.ts'
import { Announcer } from '../components/announcer.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { useOverviewActions } from '../hooks/use-overview-actions.ts'
import type { FindSold, Room } from '../shell/room.tsx'
import { FailingShops, PlatformDots } from '../shops/platform-dots.tsx'
import { GetStarted } from './get-started.tsx'
import { ImportList } from './import-list.tsx'
import { NeedsYou } from './needs-you.tsx'
import { text } from './words.ts'

/** The first screen: what needs the seller, what ships and what sold. Notifications lead here. */
export function HomePage(props: {
  overview: Overview
  /** The inventory, to find a sold item in. */
  rows: readonly InventoryRow[]
  refresh: () => Promise<void>
  notice?: ComponentChildren
  /** The address names no screen. */
  isLost: boolean
  rooms: readonly Room[]
}) {
  const { overview, refresh, rooms } = props
  const { platforms, imports, jobs, tasks, trouble, as_of } = overview
  const needs = collectNeeds(overview)
  const { busy, late, problem, importAgain, dismissImport, dismiss, stopImport, ...actions } =
    useOverviewActions(refresh)
  const nameOf = (slug: string) => platforms.find((platform) => platform.slug === slug)?.name ?? slug
  const look = (row: Row) => {
    location.hash = `${row.counts?.to_look_at ? 'decisions' : 'imports'}/${row.job}`
  }
  const [searched, setSearched] = useState<{ alert: Alert; Find: ComponentType<FindSold> } | null>(null)
  const isKnown = as_of !== null
  const hasNothing = overview.items === 0 && imports.length === 0 && !rooms.some((room) => room.hasContent?.(overview))
  const isNew = isKnown && hasNothing && countNeeds(overview) === 0
  const hasImported = (slug: string) => jobs.some((job) => job.marketplace === slug)
  // Once one shop is imported, the other connected ones stay offered, and on the first day all others. Of 50 imports or
  // more not all are known.
  const isStarting = jobs.length > 0 && jobs.length < 50
  const isFirstDay = isStarting && jobs.every(({ created_at }) => Date.now() - Date.parse(created_at) < 86_400_000)
  // Later a finished import has nothing to say but what it could not read.
  const shown = imports.filter(
    (row) => isFirstDay || !isFinished(row) || row.phase === 'failed' || row.incomplete || row.counts?.failed,
  )
  const offered = platforms.filter(
    ({ slug, connection, health }) =>
      isNew || (!hasImported(slug) && (isFirstDay || (isStarting && connection === 'oauth' && isConnected(health)))),
  )
  return (
    <main class="page item cards home">
      <h1 class="hidden" tabIndex={-1}>
        {text('palette.home')}
      </h1>
      {props.isLost && <Notice tone="plain">{text('home.lost')}</Notice>}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {trouble && (
        <Notice tone="plain" action={{ label: text('retry'), act: refresh }}>
          {as_of === null
            ? text('home.offline_never')
            : text('home.offline', { n: overview.items, time: whenText(as_of) })}
        </Notice>
      )}
      {tasks === null && <Notice tone="warn">{text('task.no_scope')}</Notice>}
      <Announcer imports={newestOf(imports)} nameOf={nameOf} />
      {!isKnown && !trouble && (
        <>
          <Loading />
          <div class="board">
            <div class="part skeleton" />
          </div>
        </>
      )}
      {isKnown && (
        <div class="board">
          <div>
            <NeedsYou
              {...{ needs, busy, nameOf, ...actions }}
              tasksAtFirst={20}
              formsAtFirst={1}
              onLook={look}
              onFindSold={(alert) =>
                void rooms
                  .find((room) => room.loadFindSold)
                  ?.loadFindSold?.()
                  .then(
                    (Find) => setSearched({ alert, Find }),
                    () => {},
                  )
              }
            />
            {tasks && offered.length === 0 && countNeeds(overview) === 0 && imports.every(isFinished) && (
              <p class="calm" role="status">
                {!trouble && <Check size={16} aria-hidden="true" />}
                {text(trouble ? 'home.nothing_needed_you' : 'home.nothing_needs_you')}
              </p>
            )}
            {rooms.map(
              ({ HomeRows }, index) =>
                HomeRows && (
                  <HomeRows key={index} overview={overview} busy={busy !== null} onDismiss={(id) => void dismiss(id)} />
                ),
            )}
            <ImportList
              overview={{ platforms, imports: shown.filter((row) => row.phase === 'working' || !needsSeller(row)) }}
              hasMore={(row) => Boolean(row.job && row.counts?.found)}
              onLook={look}
              onAgain={importAgain}
              onDismiss={(row) => void dismissImport(row, imports)}
              onStop={(row) => void stopImport(row)}
            />
            {offered.length > 0 && <GetStarted platforms={offered} busy={busy} isNew={isNew} onImport={importAgain} />}
            {/* It comes late, and must push no button away. */}
            {props.notice}
          </div>
          {!isNew && (
            <aside>
              {rooms.map(({ HomeAside }, index) => HomeAside && <HomeAside key={index} overview={overview} />)}
              <section class="part" aria-labelledby="shops">
                <h2 id="shops">{text('home.shops')}</h2>
                <PlatformDots overview={overview} />
                <FailingShops overview={overview} class="bad" />
              </section>
            </aside>
          )}
        </div>
      )}
      {searched && (
        <searched.Find
          alert={searched.alert}
          rows={props.rows}
          onClose={() => setSearched(null)}
          onChoose={(uid) => {
            setSearched(null)
            void actions.onAnswerAlert(searched.alert, uid)
          }}
        />
      )}
    </main>
  )
}

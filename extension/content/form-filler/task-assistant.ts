import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { text } from '#extension/i18n/content-text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import { MessageError } from '#extension/messaging/send.ts'
import type { TabTasks } from '#extension/messaging/tab-tasks.ts'
import type { PageProbe } from '#extension/platforms/port.ts'
import { type Ask, fillForm, type Made, type Outcome, type SellForm } from '#extension/platforms/sell-form/form.ts'
import { one, waitFor } from '#extension/platforms/sell-form/touch.ts'
import { fetchPage } from '../scraper/fetch-page.ts'
import { followAddresses } from './follow-addresses.ts'
import { type Action, createPanel } from './panel.ts'
import { highlightsOf, linesOf } from './panel-lines.ts'
import { fetchPictures } from './pictures.ts'
import { sendWithRetry } from './send-with-retry.ts'
import { helpTakeDown } from './take-down.ts'

/** How long a form may take to render, in ms. */
const drawnInMs = 15_000

/** Maximum number of tasks offered on an empty form. */
const offered = 4

type Current = NonNullable<TabTasks['current']>
type Done = NonNullable<TabTasks['done']>

/**
 * Helps with tasks on the seller's own pages. It fills a sell form, detects the new listing, and highlights what ends a
 * listing. The seller clicks every button; the script submits nothing.
 */
export async function assistWithTasks(page: ContentScriptContext, probe: PageProbe, form: SellForm): Promise<void> {
  const panel = createPanel(page)
  const ask: Ask = (request) => {
    asked.add(request.url)
    return fetchPage(request, probe)
  }
  /** Our own requests, which say nothing about the page. */
  const asked = new Set<string>()
  const takeDown = helpTakeDown(page, panel, form, ask, () => void look())
  // A filled form may be submitted without navigation.
  const requests = followAddresses(asked, () => {
    if (!shown || looking || questioned) return
    looking = true
    // The page may disappear at any moment, so report to the worker first.
    void findNew(shown.current)
      .catch(() => false)
      .then(() => {
        looking = false
        if (again) void look()
      })
  })
  /** Listings that are not the new one: reported before, or denied by the seller. */
  const denied = new Set<string>()
  /** The filled form of this page and its outcomes. */
  let shown: { current: Current; outcomes: Outcome[] } | null = null
  /** The seller is being asked whether a listing is the new one. */
  let questioned = false
  let looking = false
  let again = false
  let ended = false

  page.addEventListener(window, 'wxt:locationchange', () => void look())
  page.addEventListener(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') void look()
  })
  await look()

  /** Runs one look at a time. Events meanwhile cause one more. */
  async function look(): Promise<void> {
    again = true
    if (looking || ended) return
    looking = true
    while (again && !ended && page.isValid) {
      again = false
      await lookOnce().catch((error: unknown) => {
        // The extension was updated or the worker is gone: show nothing that nobody answers for.
        if (error instanceof MessageError && error.code === 'refused_message') ended = true
        panel.hide()
      })
    }
    looking = false
  }

  async function lookOnce(): Promise<void> {
    questioned = false
    const tabTasks = await sendWithRetry('page.tabTasks', {})
    const { current, done } = tabTasks
    if (form.isForm(new URL(location.href))) {
      takeDown.leave()
      return onForm(tabTasks)
    }
    if (current?.filled && (await findNew(current))) return
    if (await takeDown.look(tabTasks)) return
    shown = null
    if (current && !current.open) return showEnded(current)
    if (current?.filled) return showWaiting(current)
    if (done) return showDone(done)
    panel.hide()
  }

  async function onForm({ current, list, done }: TabTasks): Promise<void> {
    if (current && !current.filled) return fillIn(current.task, current.title)
    if (current && shown?.current.task === current.task) {
      // Single-page sites publish under the form's URL.
      if (!(await findNew(current)) && !current.open) showEnded(current)
      return
    }
    if (current && !current.open) return showEnded(current)
    if (current) return showBefore(current)
    shown = null
    if (done?.again) return showDone(done)
    if (list.length === 0) return done ? showDone(done) : panel.hide()
    const more = list.length - offered
    panel.show({
      tone: done?.refused ? 'warn' : done ? 'good' : 'plain',
      status: done ? doneText(done) : text('fill.offer'),
      note: more > 0 ? text('fill.offer_more', { n: more }) : null,
      lines: list.slice(0, offered).map(({ task, title }) => ({
        sign: 'none',
        label: title,
        action: {
          label: text('fill.start'),
          name: text('fill.start_named', { title }),
          main: list.length === 1,
          act: () => void start(task, title),
        },
      })),
    })
  }

  /** Starts on the seller's click in the panel. */
  async function start(task: string, title: string): Promise<void> {
    if (looking) return
    looking = true
    await fillIn(task, title).catch(() => panel.hide())
    looking = false
    if (again) await look()
  }

  async function fillIn(task: string, title: string): Promise<void> {
    // On single-page sites, ignore listings made before.
    requests.forget()
    questioned = false
    panel.show({ tone: 'plain', status: text('fill.filling', { title }) })
    const retry = { label: text('fill.retry'), main: true, act: () => void start(task, title) }
    if (!(await waitFor(() => one(form.ready), drawnInMs))) {
      return panel.show({ tone: 'warn', status: text('fill.no_form'), actions: [retry, putAway(task)] })
    }
    let draft: Awaited<ReturnType<typeof readDraft>>
    try {
      draft = await readDraft(task)
    } catch (error) {
      const status = text('fill.failed', { reason: errorText(error) })
      return panel.show({ tone: 'warn', status, actions: [retry, putAway(task)] })
    }
    const outcomes: Outcome[] = []
    await fillForm(form.steps(draft, { pictures: (max) => fetchPictures(task, max), account }), (outcome) => {
      outcomes.push(outcome)
      panel.show({
        tone: 'plain',
        status: text('fill.filling', { title: draft.title }),
        lines: linesOf(outcomes),
        highlights: highlightsOf(outcomes),
      })
    })
    const { current } = await sendWithRetry('page.filled', { task })
    if (!current) return panel.hide()
    shown = { current, outcomes }
    if (current.open) showFilled(shown)
    else showEnded(current)
  }

  function showFilled({ current, outcomes }: { current: Current; outcomes: Outcome[] }): void {
    const tried = outcomes.filter(({ why }) => why !== 'not_said')
    panel.show({
      tone: 'plain',
      status: text('fill.filled', {
        n: tried.filter(({ result }) => result !== 'left').length,
        total: tried.length,
        title: current.title,
      }),
      note: text(form.afterwards),
      lines: linesOf(outcomes),
      actions: [fillAgain(current), putAway(current.task)],
      highlights: highlightsOf(outcomes),
    })
  }

  function showBefore(current: Current): void {
    shown = null
    panel.show({
      tone: 'plain',
      status: text('fill.before', { title: current.title }),
      actions: [fillAgain(current), putAway(current.task)],
    })
  }

  /** Shown after filling while no new listing is in sight. */
  function showWaiting(current: Current): void {
    panel.show({
      tone: 'plain',
      status: text('fill.waiting', { title: current.title }),
      actions: [putAway(current.task)],
    })
  }

  /** Shown if the item sold or its task was dismissed meanwhile. */
  function showEnded(current: Current): void {
    panel.show({
      tone: 'warn',
      status: text('fill.ended', { title: current.title }),
      note: text('fill.ended_note'),
      actions: [putAway(current.task)],
    })
  }

  async function account(): Promise<string | null> {
    return (await probe.more?.())?.account ?? null
  }

  /** Returns true if the new listing was found, or may have been. */
  async function findNew(current: Current): Promise<boolean> {
    const { since, title } = current
    const known = [...denied, ...current.known]
    const made = await form.findMade(
      { url: location.href, requests: requests.list(), since, title, known, account },
      ask,
    )
    if (!made || known.includes(made.listing_id)) return false
    if (made.sure) {
      await reportListed(current, made)
      return true
    }
    questioned = true
    panel.show({
      tone: 'plain',
      status: text('fill.is_it', { title }),
      actions: [
        { label: text('fill.yes'), main: true, act: () => void reportListed(current, made).catch(() => panel.hide()) },
        {
          label: text('fill.no'),
          act() {
            denied.add(made.listing_id)
            void look()
          },
        },
      ],
    })
    return true
  }

  async function reportListed({ task }: Current, { listing_id, listing_url }: Made): Promise<void> {
    await sendWithRetry('page.listed', { task, listing_id, listing_url })
    denied.add(listing_id)
    shown = null
    void look()
  }

  function showDone(done: Done): void {
    const { again, refused, task } = done
    const url = again && URL.parse(again.url)
    panel.show({
      tone: again || refused ? 'warn' : 'good',
      status: doneText(done),
      actions: [
        ...(url && form.showsListing(url, again)
          ? [{ label: text('fill.open_listing'), main: true, act: () => location.assign(url) }]
          : []),
        putAway(task),
      ],
    })
  }

  function fillAgain({ task, title }: Current): Action {
    return { label: text('fill.again'), act: () => void start(task, title) }
  }

  function putAway(task: string): Action {
    return {
      label: text('fill.away'),
      act() {
        shown = null
        panel.hide()
        void sendWithRetry('page.putAway', { task }).catch(() => null)
      },
    }
  }
}

function doneText({ kind, kept, title, again, refused }: Done): string {
  if (again) return text('fill.down_again', { title, reason: again.reason })
  if (refused) return text(kind === 'list' ? 'fill.not_taken' : 'down.not_taken', { title })
  if (kind === 'list') return text(kept ? 'fill.kept' : 'fill.done', { title })
  return text(kept ? 'down.kept' : 'down.done', { title })
}

const readDraft = (task: string) => sendWithRetry('page.listingDraft', { task })

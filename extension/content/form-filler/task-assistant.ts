import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { MessageError } from '#extension/messaging/message-error.ts'
import type { TabTasks } from '#extension/messaging/tab-tasks.ts'
import type { PageProbe } from '#extension/platforms/port.ts'
import type { Ask, Made, SellForm } from '#extension/platforms/sell-form/form.ts'
import { waitFor } from '#extension/platforms/sell-form/touch.ts'
import { fetchPage } from '../scraper/fetch-page.ts'
import { fillTask } from './fill-task.ts'
import { followAddresses } from './follow-addresses.ts'
import { createPanel } from './panel.ts'
import { createByItself } from './run-by-itself.ts'
import { errorText, sendWithRetry } from './send-with-retry.ts'
import { helpTakeDown } from './take-down.ts'
import {
  type Current,
  doneView,
  endedView,
  type FilledForm,
  filledBeforeView,
  offerView,
  questionView,
  type TaskActions,
  waitingView,
} from './task-views.ts'
import { createTurns } from './turns.ts'

/**
 * Helps with tasks on the seller's own pages. It fills a sell form, detects the new listing, and highlights what ends a
 * listing. The seller clicks every button; the script submits nothing, except in a tab that was opened to end a listing by
 * itself.
 */
export async function assistWithTasks(page: ContentScriptContext, probe: PageProbe, form: SellForm): Promise<void> {
  const panel = createPanel(page)
  const ask: Ask = (request) => {
    asked.add(request.url)
    return fetchPage(request, probe)
  }
  /** Our own requests, which say nothing about the page. */
  const asked = new Set<string>()
  const byItself = createByItself(page, { panel, form, ask, account, onEnd: () => void turns.look() })
  const takeDown = helpTakeDown(page, {
    panel,
    form,
    ask,
    nextStep: byItself.nextStep,
    onDown: () => void turns.look(),
  })
  // A filled form may be submitted without navigation.
  const requests = followAddresses(asked, () => {
    const current = shown?.current
    if (!current || questioned) return
    // The page may disappear at any moment, so report to the worker first.
    void turns.run(() => findNew(current).catch(() => false))
  })
  const actions: TaskActions = {
    start: (task, title) => void turns.run(() => fillIn(task, title).catch(() => panel.hide())),
    next: (task) => next(task).catch((error: unknown) => panel.say(errorText(error))),
    putAway,
  }
  /** Listings that are not the new one: reported before, or denied by the seller. */
  const denied = new Set<string>()
  /** The filled form of this page. */
  let shown: FilledForm | null = null
  /** The task that the address of this page names, until it is filled in. */
  let named = location.hash.slice(1)
  /** The seller is being asked whether a listing is the new one. */
  let questioned = false
  const turns = createTurns(
    () =>
      look().then(
        () => true,
        (error: unknown) => {
          panel.hide()
          // The extension was updated or the worker is gone: show nothing that nobody answers for.
          return !(error instanceof MessageError && error.code === 'refused_message')
        },
      ),
    () => page.isValid,
  )

  page.addEventListener(window, 'wxt:locationchange', () => void turns.look())
  page.addEventListener(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') void turns.look()
  })
  await turns.look()
  // A task that a sale has just made opens this page from the web app before the worker reads it by the minute.
  if (await sendWithRetry('page.newTasks', {}).catch(() => false)) await turns.look()

  async function look(): Promise<void> {
    questioned = false
    const tabTasks = await sendWithRetry('page.tabTasks', {})
    const { current, done } = tabTasks
    if (byItself.look(tabTasks.byItself)) return takeDown.leave()
    if (form.isForm(new URL(location.href))) {
      takeDown.leave()
      return onForm(tabTasks)
    }
    if (current?.filled && (await findNew(current))) return
    if (await takeDown.look(tabTasks)) return
    shown = null
    if (current && !current.open) return panel.show(endedView(current, actions))
    if (current?.filled) return panel.show(waitingView(current, actions))
    if (done) return panel.show(doneView(done, form, actions))
    if (await findMissed(tabTasks)) return
    const left = byItself.view(tabTasks.down)
    if (left) panel.show(left)
    else panel.hide()
  }

  async function onForm({ current, list, done }: TabTasks): Promise<void> {
    if (current && !current.filled) return fillIn(current.task, current.title)
    if (current && shown?.current.task === current.task) {
      // Single-page sites publish under the form's URL.
      if (!(await findNew(current)) && !current.open) panel.show(endedView(current, actions))
      return
    }
    if (current && !current.open) return panel.show(endedView(current, actions))
    shown = null
    if (current) return panel.show(filledBeforeView(current, actions))
    if (done?.again) return panel.show(doneView(done, form, actions))
    const asked = list.find(({ task }) => task === named)
    if (asked) return fillIn(asked.task, asked.title)
    if (list.length > 0) return panel.show(offerView(list, done, actions))
    return done ? panel.show(doneView(done, form, actions)) : panel.hide()
  }

  async function fillIn(task: string, title: string): Promise<void> {
    // On single-page sites, ignore listings made before.
    requests.forget()
    questioned = false
    named = ''
    shown = (await fillTask(task, title, { form, panel, actions, account })) ?? shown
  }

  async function account(): Promise<string | null> {
    return (await probe.more?.())?.account ?? null
  }

  /** Asks about a listing that may be one of another tab, such as a draft that was posted later. */
  async function findMissed({ list }: TabTasks): Promise<boolean> {
    const { pathname } = location
    if (list.length === 0 || !(form.down.lists.test(pathname) || form.down.keyIn(pathname))) return false
    const found = await waitFor(() => list.find(({ title }) => document.body.textContent.includes(title)))
    return found ? findNew({ ...found, filled: false, open: true, known: [] }) : false
  }

  /** Returns true if the new listing was found, or may have been. A task of another tab is asked about. */
  async function findNew(current: Current): Promise<boolean> {
    const { since, title } = current
    const known = [...denied, ...current.known]
    const made = await form.findMade(
      { url: location.href, requests: requests.list(), since, title, known, account },
      ask,
    )
    if (!made || known.includes(made.listing_id)) return false
    if (made.sure && current.filled) {
      await reportListed(current, made)
      return true
    }
    questioned = true
    panel.show(
      questionView(title, (isNew) => {
        if (isNew) return void reportListed(current, made).catch(() => panel.hide())
        denied.add(made.listing_id)
        void turns.look()
      }),
    )
    return true
  }

  async function reportListed({ task, filled }: Current, { listing_id, listing_url }: Made): Promise<void> {
    // Binds the task to this tab.
    if (!filled) await sendWithRetry('page.listingDraft', { task })
    // A seller who has left this tab is not called to another.
    const leads_on = filled && document.visibilityState === 'visible'
    await sendWithRetry('page.listed', { task, listing_id, listing_url, leads_on })
    denied.add(listing_id)
    shown = null
    void turns.look()
  }

  /** Opens the next task in a tab of its own. A task that is over by then gives way to the one after it. */
  async function next(task: string): Promise<void> {
    try {
      await sendWithRetry('page.next', { task })
      panel.hide()
    } catch (error) {
      if (!(error instanceof MessageError) || error.code !== 'not_found') throw error
      await turns.look()
    }
  }

  /** Hides the panel and unbinds the task from this tab. */
  function putAway(task: string): void {
    shown = null
    panel.hide()
    void sendWithRetry('page.putAway', { task }).catch(() => null)
  }
}

import type { ByItself } from '#extension/messaging/take-downs.ts'
import { type PageAnswer, ReadingStopped } from '#extension/platforms/port.ts'
import { isChallenge, refuseAnswer, refuseStatus } from '#extension/platforms/refuse-answer.ts'
import type { Ask, SellForm } from '#extension/platforms/sell-form/form.ts'
import { saysTitle } from '#extension/platforms/sell-form/steps.ts'
import { waitFor } from '#extension/platforms/sell-form/touch.ts'
import { asksToSignIn, isLoading, showsChallenge } from '#extension/platforms/take-down/controls.ts'
import {
  beforePress,
  findPress,
  isInMenu,
  isPageOf,
  newSession,
  type Obstacle,
  type Press,
  type Session,
} from '#extension/platforms/take-down/find-press.ts'
import { type DownStep, mayFollow } from '#extension/platforms/take-down/steps.ts'
import type { TakeDownResult } from '#shared/contract/selling/tasks.ts'
import { shortestTitleMax } from '#shared/listing-limits.ts'

/** The page in which a listing ends by itself, and its ways to the worker. */
export interface Surroundings {
  form: SellForm
  ask: Ask
  /** Returns the signed-in account as the page context has it, or null. */
  account: () => Promise<string | null>
  location: () => URL
  pause: (ms: number) => Promise<void>
  random: () => number
  press: (element: HTMLElement) => void
  /** Leaves for another page of the site, or loads this one again. */
  goTo: (url: string) => void
  /** Asks the worker, which stores the press first. */
  mayPress: (step: DownStep, word: string) => Promise<boolean>
  /** Returns false once the page must do nothing more: it is gone, or the seller took over. */
  goesOn: () => boolean
}

/** How it ended: the listing is down, or it stopped and why. Null: somebody else stopped it, or the page was left. */
export type Ending = 'down' | { result: TakeDownResult; seen: string | null } | null

/** Maximum length of a page's own words. */
const maxSeen = 200
const maxWord = 40

/** Time for a press to show what it brings, as a share of the time for a button. */
const freshShare = 0.25

const stop = (result: TakeDownResult, seen: string | null = null): Ending => ({
  result,
  seen: seen?.slice(0, maxSeen) ?? null,
})

type Task = ByItself['task']
type Found = Press | Obstacle | null

/**
 * Ends a listing as the take-down assistant would have the seller do it: it presses the buttons that the assistant
 * highlights, and reads the listing back. It reads before it presses, and stops at anything that it does not expect:
 * another page, listing, account or dialog, a missing button, a challenge.
 */
export async function endByItself(given: ByItself, page: Surroundings): Promise<Ending> {
  const { task, times } = given
  let session = newSession(given.pressed)
  if (session.done.includes('confirm')) return readBack(given, session, page)
  const refused = await refuseListing(task, page)
  if (refused) return refused
  for (;;) {
    const found = await waitForPress(given, session, page)
    if (!page.goesOn()) return null
    if (!found || 'result' in found) {
      // Some marketplaces end a listing without a question, and then say so.
      const some = { ...times, askAfterMs: times.askAfterMs.slice(0, found ? 1 : 2) }
      const end = session.done.includes('delete') ? await readBack({ ...given, times: some }, session, page) : null
      if (!page.goesOn() || end === 'down' || (end && !found && end.result !== 'still_live')) return end
      return found ? stop(found.result, found.seen) : goElsewhere(task, session, page)
    }
    const [least, most] = times.beforePressMs
    await page.pause(least + page.random() * (most - least))
    // Somebody may have bought it meanwhile, and the last press cannot be taken back.
    const later = found.step === 'confirm' ? await refuseListing(task, page) : null
    if (later) return later
    const pressed = await pressOnce(task, found, session, page)
    if (pressed === 'changed') continue
    if (!('done' in pressed)) return pressed.ending
    session = pressed
    if (found.step === 'confirm') return readBack(given, session, page)
  }
}

/** Presses a button that is still there once the worker agrees. `changed`: the page shows another by now. */
async function pressOnce(
  task: Task,
  found: Press,
  session: Session,
  page: Surroundings,
): Promise<Session | 'changed' | { ending: Ending }> {
  if (!isSame(found, look(task, session, page))) return 'changed'
  if (!found.alone) return { ending: stop('no_button', found.word) }
  if (!(await page.mayPress(found.step, found.word.slice(0, maxWord)))) return { ending: stop('stopped') }
  // The page may have changed while the worker answered, or drawn the button anew.
  const now = look(task, session, page)
  if (!page.goesOn()) return { ending: null }
  if (!isSame(found, now)) {
    if (now && 'result' in now) return { ending: stop(now.result, now.seen) }
    // The worker allows what ends a listing only once.
    return found.step === 'delete' || found.step === 'confirm' ? { ending: stop('other_page', found.word) } : 'changed'
  }
  const after = beforePress(session, now, page.form.down, page.location().pathname)
  page.press(now.element)
  return after
}

/** Reads the listing. Returns why nothing may be pressed, or null if it is the seller's and still for sale. */
async function refuseListing(task: Task, page: Surroundings): Promise<Ending> {
  const answer = await page.ask(page.form.stateRequest(task))
  const refused = refusalOf(answer, task, page)
  if (refused || !answer) return refused
  const { title, own } = page.form.describe(answer, task, await page.account())
  if (own === null) return stop(showsChallenge() ? 'challenge' : 'signed_out')
  if (!own) return stop('other_account')
  // The titles may be those of other marketplaces, which cut them.
  const isNamed = task.titles.some((one) => saysTitle(title, one, shortestTitleMax))
  return isNamed ? null : stop('other_listing', title)
}

/** Returns how an answer about the listing ends the attempt, or null while it is for sale. */
function refusalOf(answer: PageAnswer | null, task: Task, { form }: Surroundings): Ending {
  if (!answer) return stop('unreadable')
  try {
    refuseAnswer(form.site, answer)
    refuseStatus(form.site, form.statusOf?.(answer) ?? answer.status)
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error
    if (error.reason === 'challenge') return stop('challenge')
    return stop(error.reason === 'logged_out' ? 'signed_out' : 'unreadable')
  }
  const state = form.readState(answer, task)
  if (state === 'down') return 'down'
  if (state === 'sold') return stop('sold_there')
  if (state === null) return stop(isChallenge(answer.text) ? 'challenge' : 'unreadable')
  return null
}

/**
 * Asks the marketplace until the listing is down, as after a press of the seller. Answers a second question that follows
 * the first on the same page.
 */
async function readBack({ task, times }: ByItself, session: Session, page: Surroundings): Promise<Ending> {
  let last: Ending = null
  for (const ms of times.askAfterMs) {
    await page.pause(ms)
    if (!page.goesOn()) return null
    last = refusalOf(await page.ask(page.form.stateRequest(task)), task, page)
    if (last !== null && last !== 'down' && last.result !== 'unreadable') return last
    if (last === 'down') return last
    last ??= stop('still_live')
    const found = session.before ? look(task, session, page) : null
    if (found && 'element' in found) {
      const pressed = await pressOnce(task, found, session, page)
      if (pressed !== 'changed' && 'ending' in pressed) return pressed.ending
      if (pressed !== 'changed') return readBack({ task, times, pressed: [] }, pressed, page)
    } else if (found) last = stop(found.result, found.seen)
  }
  return last
}

/** Waits for the next button that may be pressed. Returns why to stop at once, or null if neither appeared. */
async function waitForPress({ task, times }: ByItself, session: Session, page: Surroundings): Promise<Found> {
  const ms = times.appearsInMs
  const last = session.done.at(-1)
  const isLate = ({ element }: Press) =>
    // A button that was pressed may stay for a moment, and other buttons stand for less than an entry of a menu.
    element === session.element || (last === 'menu' && !isInMenu(element, session))
  if (session.element) {
    const fresh = await waitFor(() => {
      const found = look(task, session, page)
      return found && (!('element' in found) || !isLate(found)) ? found : null
    }, ms * freshShare)
    if (fresh) return fresh
  }
  const isAnswer = session.before !== null && last !== 'edit'
  // The second page is waited for less, so that the seller is asked in time.
  const isSecond = session.done.includes('open')
  const found = await waitFor(() => look(task, session, page), ms * (isAnswer || isSecond ? 0.5 : 0.7))
  // The rest of the time is for where neither a reading, another look nor the list of listings follows.
  const goesOn = isAnswer || page.form.down.list !== null || (isLoading() && mayFollow('reload', session.done))
  return found || goesOn ? found : waitFor(() => look(task, session, page), ms * 0.3)
}

/** Returns the next button, why to stop, or null to go on looking. */
function look(task: Task, session: Session, { form, location }: Surroundings): Found {
  const url = location()
  if (form.site.login.test(url.pathname)) return { result: 'signed_out', seen: document.title }
  return url.origin === form.down.origin ? findPress(form.down, task, url.pathname, session) : null
}

function isSame(found: Press, now: Found): now is Press {
  return now !== null && 'element' in now && now.step === found.step && now.word === found.word
}

/**
 * Loads a half-loaded page again, or opens the list of the seller's listings, where other pages have no button. Returns
 * why the next button did not appear if neither is left.
 */
async function goElsewhere(task: Task, session: Session, page: Surroundings): Promise<Ending> {
  const { lists, list } = page.form.down
  const { pathname, href } = page.location()
  if (asksToSignIn()) return stop('signed_out', document.title)
  const isOwn = isPageOf(page.form.down, pathname, task)
  if (!isOwn && !lists.test(pathname)) return stop('other_page', document.title)
  const isHalf = isLoading() && mayFollow('reload', session.done)
  const step = isHalf ? 'reload' : isOwn && list && mayFollow('open', session.done) ? 'open' : null
  if (!step) return stop('no_button', session.done.findLast((one) => one !== 'open' && one !== 'reload') ?? null)
  if (!(await page.mayPress(step, step))) return stop('stopped')
  if (page.goesOn()) page.goTo(isHalf ? href : list!)
  return null
}

import type { ByItself } from '#extension/messaging/take-downs.ts'
import { type PageAnswer, ReadingStopped } from '#extension/platforms/port.ts'
import { isChallenge, refuseAnswer } from '#extension/platforms/refuse-answer.ts'
import { type DownStep, downSteps } from '#extension/platforms/sell-form/down-steps.ts'
import type { Ask, Press, SellForm } from '#extension/platforms/sell-form/form.ts'
import { saysTitle } from '#extension/platforms/sell-form/steps.ts'
import { dialogOf, openDialogs, shown, textOf, waitFor } from '#extension/platforms/sell-form/touch.ts'
import type { TakeDownResult } from '#shared/contract/tasks.ts'

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

const stop = (result: TakeDownResult, seen: string | null = null): Ending => ({
  result,
  seen: seen?.slice(0, maxSeen) ?? null,
})

/**
 * Ends a listing as the take-down assistant would have the seller do it: it presses the buttons that the assistant
 * highlights, each once, and reads the listing back. It reads before it presses, and stops at anything that it does not
 * expect: another page, listing, account or dialog, a missing button, a challenge.
 */
export async function endByItself({ task, pressed, times }: ByItself, page: Surroundings): Promise<Ending> {
  const done = [...pressed]
  if (done.includes('confirm')) return readBack(task, times.askAfterMs, page)
  const refused = await refuseListing(task, page)
  if (refused) return refused
  for (;;) {
    const found = await waitFor(() => lookForPress(task, done, page), times.appearsInMs)
    if (!page.goesOn()) return null
    if (!found) return whyNoPress(task, done, page)
    if ('result' in found) return found
    const [least, most] = times.beforePressMs
    await page.pause(least + page.random() * (most - least))
    // Somebody may have bought it meanwhile, and the last press cannot be taken back.
    const later = found.step === 'confirm' ? await refuseListing(task, page) : null
    if (later) return later
    const before = lookForPress(task, done, page)
    if (!isSame(found, before)) return whyChanged(found, before)
    if (!(await page.mayPress(found.step, found.word.slice(0, maxWord)))) return stop('stopped')
    // The page may have changed while the worker answered, or drawn the button anew.
    const now = lookForPress(task, done, page)
    if (!page.goesOn()) return null
    if (!isSame(found, now)) return whyChanged(found, now)
    done.push(now.step)
    page.press(now.element)
    if (found.step === 'confirm') return readBack(task, times.askAfterMs, page)
  }
}

type Task = ByItself['task']

/** Reads the listing. Returns why nothing may be pressed, or null if it is the seller's and still for sale. */
async function refuseListing(task: Task, page: Surroundings): Promise<Ending> {
  const answer = await page.ask(page.form.stateRequest(task))
  const refused = refusalOf(answer, task, page)
  if (refused || !answer) return refused
  const { title, own } = page.form.describe(answer, task, await page.account())
  if (own === null) return stop('signed_out')
  if (!own) return stop('other_account')
  const isNamed = task.titles.some((one) => saysTitle(title, one, maxTitle))
  return isNamed ? null : stop('other_listing', title)
}

/** Titles are compared up to this length, which is the shortest limit of the marketplaces. */
const maxTitle = 80

/** Returns how an answer about the listing ends the attempt, or null while it is for sale. */
function refusalOf(answer: PageAnswer | null, task: Task, { form }: Surroundings): Ending {
  if (!answer) return stop('unreadable')
  try {
    refuseAnswer(form.site, answer)
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

/** Asks the marketplace until the listing is down, as after a press of the seller. */
async function readBack(task: Task, askAfterMs: readonly number[], page: Surroundings): Promise<Ending> {
  let last: Ending = null
  for (const ms of askAfterMs) {
    await page.pause(ms)
    if (!page.goesOn()) return null
    last = refusalOf(await page.ask(page.form.stateRequest(task)), task, page) ?? stop('still_live')
    if (last === 'down') return last
  }
  return last
}

/** Returns the next button that may be pressed, why to stop at once, or null to go on looking. */
function lookForPress(
  task: Task,
  done: readonly DownStep[],
  page: Surroundings,
): Press | Exclude<Ending, 'down' | null> | null {
  const { form } = page
  const url = page.location()
  if (form.site.login.test(url.pathname)) return { result: 'signed_out', seen: null }
  if (!form.showsListing(url, task)) return null
  const press = form.findPress()
  const [dialog] = openDialogs()
  if (dialog) {
    const isExpected =
      press?.step === 'confirm' &&
      done.at(-1) === 'delete' &&
      openDialogs().every((one) => one.contains(press.element) || dialogOf(press.element)?.contains(one))
    if (!isExpected || shown('input:not([type=hidden]), textarea, select', dialog).length > 0) {
      return {
        result: isChallenge(dialog.outerHTML) ? 'challenge' : 'unknown_dialog',
        seen: textOf(dialog).slice(0, maxSeen),
      }
    }
  }
  if (!press || !isNext(press.step, done) || isDisabled(press.element)) return null
  if (press.step === 'delete' && !form.deletesAt(url)) return null
  return press.alone ? press : { result: 'no_button', seen: press.word.slice(0, maxSeen) }
}

/** The presses come in their order, and the last one only in the dialog that the one before opened. */
function isNext(step: DownStep, done: readonly DownStep[]): boolean {
  const last = done.at(-1)
  if (step === 'confirm') return last === 'delete'
  return last === undefined || downSteps.indexOf(step) > downSteps.indexOf(last)
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled, [aria-disabled="true"]')
}

function isSame(found: Press, now: ReturnType<typeof lookForPress>): now is Press {
  return now !== null && 'element' in now && now.step === found.step && now.word === found.word
}

/** Returns why a button that was there may not be pressed any more. */
function whyChanged(found: Press, now: ReturnType<typeof lookForPress>): Ending {
  return now !== null && 'result' in now ? now : stop('other_page', found.word)
}

/** Returns why the next button did not appear. */
function whyNoPress(task: Task, done: readonly DownStep[], page: Surroundings): Ending {
  if (isChallenge(document.documentElement.outerHTML)) return stop('challenge')
  const isThere = page.form.showsListing(page.location(), task)
  return stop(isThere ? 'no_button' : 'other_page', isThere ? (done.at(-1) ?? null) : document.title)
}

import type { Listing } from '../sell-form/form.ts'
import { choiceOf, shown, textOf } from '../sell-form/touch.ts'
import { belongs, type Naming, namesListing } from './belongs.ts'
import { asksForMore, asksToSignIn, menus, nameOf, openDialogs, pressable, showsChallenge } from './controls.ts'
import { type DownStep, mayFollow } from './steps.ts'

/** The words of a site's buttons, and where its pages are. All words are whole accessible names. */
export interface DownSite extends Naming {
  origin: string
  /** Paths of the lists of the seller's listings, and the one to open where a listing's page has no button. */
  lists: RegExp
  list: string | null
  /** Paths of the pages whose plain "Delete" means the listing. */
  edits: RegExp
  words: {
    /** Ends the listing so that it can come back. */
    deactivate?: RegExp
    /** Opens the choice of the listing's state, chooses it, saves it and publishes the change. */
    state?: { open: RegExp; choose: RegExp; save: RegExp; publish: RegExp }
    delete: RegExp
    menu: RegExp
    edit: RegExp
    more: RegExp
  }
  /** Selector of controls without a role. */
  extra?: string
  /** Selector of the box that selects a listing in a list, whose deactivation is a button of the list. */
  box?: string
}

/** The next press towards ending a listing. */
export interface Press {
  element: HTMLElement
  /** Its name on the page. */
  word: string
  step: DownStep
  /** No other visible button of the listing has this name. */
  alone: boolean
}

/** Why only a person can go on. */
export interface Obstacle {
  result: 'signed_out' | 'challenge' | 'open_offer' | 'unknown_dialog'
  seen: string
}

/** The presses of the script on this page, beside the steps that the worker keeps. */
export interface Session {
  done: readonly DownStep[]
  /** The names of the controls that were shown before the last press. Null before the first. */
  before: Map<Element, string> | null
  /** The control that was pressed last, and its page. */
  element: HTMLElement | null
  path: string | null
  /** The menu button that was pressed last. */
  opener: HTMLElement | null
  /** The questions that were answered. */
  answered: ReadonlySet<string>
}

/** A session of a page on which nothing was pressed. */
export const newSession = (done: readonly DownStep[]): Session => {
  return { done, before: null, element: null, path: null, opener: null, answered: new Set() }
}

/** Words that agree to any question, and those that name what they agree to. */
const agrees = /^(yes|ok|okay|confirm|continue|proceed|i’m sure|i'm sure|yes,? i’m sure|yes,? i'm sure)[.!]?$/i
const ends =
  /^(yes,? |confirm |confirm and |ok,? |no,? |permanently )?(delete|remove|deactivate|end)( (it|this|my|the))?( (listing|item|product))?( (anyway|now|permanently|forever))?[.!]?$/i
const declines = /^(no|cancel|close|back|go back|keep|keep it|keep (the )?listing|never ?mind|×|x)[.!]?$/i
const dismisses = /^(got it|not now|maybe later|later|no,? thanks|no,? thank you|skip|dismiss|close|×)[.!]?$/i

/** A question that asks whether to end something, one that means a listing, and those that mean something else. */
const asksToEnd =
  /\b(delet\w*|remov\w*|deactivat\w*|end(ing)? (this|the|your)|not for sale|sure|permanent\w*|undone|undo)\b/i
const asksOfListing = /\b(delet|remov|deactivat|end)\w* (this|your|the|an?|1) (live |active )?(listing|item|product)\b/i
const otherThings =
  '(comments?|photos?|pictures?|images?|messages?|accounts?|reviews?|address|search|drafts?|offers?|bundles?|shop|closet)'
const asksOfOther = new RegExp(
  `\\b(delet|remov|deactivat|end)\\w* (\\w+ ){0,2}${otherThings}\\b|\\b${otherThings}( listing)? (will|is|are) (\\w+ ){0,3}(deleted|removed)|\\b(leave|leaving|discard|unsaved|marks? (\\w+ ){0,4}as sold)\\b`,
  'i',
)
const asksForLess = /\b(keep|instead|lower|drop|promot\w*|boost|discount)\b/i
const asksOfTerms = /\b(terms|agree\w*|polic(y|ies)|verif(y|ication)|update your)\b/i
const speaksOfOffer =
  /\b((open|active|pending|accepted|current|unanswered|outstanding) (\w+ )?(offers?|bundles?)|offers? (is|are|was|has|have|that) |(respond|reply|decline|accept) (to )?(the |this |an |your )?(\w+ )?offers?|(in|part of) (an?|the|someone’s|someone's|\w+’s|\w+'s|\d+) (\w+ )?bundles?|in (an? )?bundles?)/i

/** Patterns of a question in the browser's own dialog: it asks whether to end something, or speaks of something else. */
export const nativeQuestion = {
  ends: asksToEnd.source,
  others: [asksOfOther, asksForLess, speaksOfOffer].map(({ source }) => source).join('|'),
}

/**
 * Returns the next press that ends a listing, why only a person can go on, or null while the page shows neither. A press
 * is chosen by its role and name, and only where the page, the row or the dialog around it is the listing's.
 */
export function findPress(site: DownSite, listing: Listing, path: string, session: Session): Press | Obstacle | null {
  const isOwn = isPageOf(site, path, listing)
  // A question belongs to the page of the press that it follows.
  const isHere = isOwn || site.lists.test(path)
  const [dialog, ...others] = openDialogs()
  if (showsChallenge()) return { result: 'challenge', seen: dialog ? textOf(dialog) : document.title }
  if (!isHere && !(dialog && asksToSignIn(dialog))) return null
  const page = { naming: site, path, opener: session.opener }
  if (dialog) {
    // Some menus are dialogs.
    const entries = session.done.at(-1) === 'menu' ? pressable('', dialog).filter((one) => isFresh(one, session)) : []
    const own = entries.filter((one) => belongs(one, listing, page))
    const entry = others.length > 0 ? null : onPage(site, listing, path, session, { all: own, own, isOwn })
    return entry ?? (others.length > 0 ? unknown(dialog) : inDialog(dialog, site, session))
  }
  if (session.done.includes('delete')) return afterDelete(site, listing, path, session)
  const all = pressable(site.extra ?? '')
  // The page that an edit button leads to may take its time.
  const isLeaving = session.done.at(-1) === 'edit' && session.path === path
  const own = all.filter((one) => belongs(one, listing, page) && (!isLeaving || isFresh(one, session)))
  return onPage(site, listing, path, session, { all, own, isOwn })
}

function onPage(
  site: DownSite,
  listing: Listing,
  path: string,
  session: Session,
  { all, own, isOwn }: { all: HTMLElement[]; own: HTMLElement[]; isOwn: boolean },
): Press | null {
  const { words, lists, edits, box } = site
  const { done } = session
  const named = (some: readonly HTMLElement[], pattern: RegExp | undefined) =>
    some.filter((one) => pattern?.test(nameOf(one)))
  const isList = lists.test(path)
  const { state } = words
  if (done.includes('choose') || showsState(site)) return afterChoice(site, session, all, own)
  const choices = named(own, state?.choose)
  const opensState = named(own, state?.open).filter((one) => one !== session.opener)
  const deletes = named(own, words.delete)
  // Elsewhere a plain "Delete" may be a comment's.
  const clear = deletes.filter((one) => edits.test(path) || isList || isInMenu(one, session) || / /.test(nameOf(one)))
  const keeps = words.deactivate !== undefined || state !== undefined
  const edit = named(own, words.edit).filter((one) => !isButtonOf(one, words.menu))
  const menu = named(own, words.menu).filter((one) => one !== session.opener && !edit.includes(one))
  const boxes = isList && box ? boxesOf(site, listing, path) : []
  const prefersEdit = keeps && isOwn && !edits.test(path) && !isList
  return first(done, [
    ['delete', named(own, words.deactivate)],
    ['choose', choices],
    ['menu', opensState],
    ...(prefersEdit ? ([['edit', edit]] as const) : []),
    ['delete', clear],
    ['choose', boxes],
    ['menu', menu],
    ['edit', edit],
    ['more', isList && !namesListing(listing, site) ? named(all, words.more) : []],
  ])
}

/** "Manage" is a menu where it is a button, and a way to the form where it is a link. */
function isButtonOf(one: HTMLElement, menu: RegExp): boolean {
  return menu.test(nameOf(one)) && !one.closest('a[href]')
}

/** Returns the boxes that select the listing in a list, none if others are selected. */
function boxesOf(site: DownSite, listing: Listing, path: string): HTMLElement[] {
  const boxes = [...document.querySelectorAll<HTMLInputElement>(site.box!)]
  if (boxes.some((one) => one.checked)) return []
  return boxes.filter((one) => belongs(one, listing, { naming: site, path, opener: null }))
}

/** Returns the button that saves what was chosen, once the page shows the choice. */
function afterChoice(site: DownSite, { done }: Session, all: HTMLElement[], own: HTMLElement[]): Press | null {
  const { state, deactivate } = site.words
  if (state) {
    const isChosen = all.some((one) => state.choose.test(nameOf(one)) && !one.closest(menus))
    return isChosen || showsState(site)
      ? first(done, [['delete', own.filter((one) => state.save.test(nameOf(one)))]])
      : null
  }
  const boxes = [...document.querySelectorAll<HTMLInputElement>(site.box ?? '')].filter((one) => one.checked)
  const buttons = all.filter((one) => deactivate?.test(nameOf(one)) && !one.closest('li, article, tr'))
  return boxes.length === 1 ? first(done, [['delete', buttons]]) : null
}

/** Returns true if a native menu shows the state in which a listing is not for sale. */
function showsState({ words: { state } }: DownSite): boolean {
  return state !== undefined && shown('select').some((one) => state.choose.test(choiceOf(one)))
}

/** Returns the answer to a question that is no dialog, or the last button of a change of state. */
function afterDelete(site: DownSite, listing: Listing, path: string, session: Session): Press | null {
  const page = { naming: site, path, opener: null }
  const own = pressable(site.extra ?? '').filter((one) => belongs(one, listing, page))
  const { state } = site.words
  if (state && session.done.includes('choose')) {
    return first(session.done, [['confirm', own.filter((one) => state.publish.test(nameOf(one)))]])
  }
  const fresh = pressable('').filter((one) => isFresh(one, session))
  const yes = fresh.filter((one) => agrees.test(nameOf(one)) || ends.test(nameOf(one)))
  const no = fresh.find((one) => declines.test(nameOf(one)))
  let box: Element | null | undefined = yes[0]
  while (box && !(no && box.contains(no))) box = box.parentElement
  if (!box || box === document.body || yes.length !== 1) return null
  const answer = answerIn(box, session)
  return answer && 'element' in answer ? answer : null
}

/** Returns true for an entry of an open menu. */
export const isInMenu = (one: HTMLElement, session: Session): boolean =>
  one.closest(menus) !== null || isFresh(one, session)

/** Returns true for a control that the last press brought. */
function isFresh(one: HTMLElement, { before }: Session): boolean {
  return before !== null && before.get(one) !== nameOf(one)
}

function inDialog(dialog: HTMLElement, site: DownSite, session: Session): Press | Obstacle | null {
  if (showsChallenge(dialog)) return { result: 'challenge', seen: textOf(dialog) }
  if (asksToSignIn(dialog)) return { result: 'signed_out', seen: textOf(dialog) }
  const { state } = site.words
  if (state && session.done.includes('choose') && session.done.includes('delete')) {
    const last = pressable(site.extra ?? '', dialog).filter((one) => state.publish.test(nameOf(one)))
    if (last.length === 1) return first(session.done, [['confirm', last]])
  }
  if (session.done.includes('delete')) {
    if (session.answered.has(textOf(dialog))) return null
    return answerIn(dialog, session) ?? unknown(dialog)
  }
  const text = textOf(dialog)
  const away = pressable('', dialog).filter((one) => dismisses.test(nameOf(one)))
  const isTip = !asksForMore(dialog) && !asksOfTerms.test(text) && !speaksOfOffer.test(text)
  const tip = isTip && away.length > 0 ? first(session.done, [['dismiss', away.slice(0, 1)]]) : null
  return tip ?? unknown(dialog)
}

/** Returns the button that agrees to a question about ending the listing, or why it is none. Null: it is not shown yet. */
function answerIn(box: Element, session: Session): Press | Obstacle | null {
  const text = textOf(box)
  const buttons = pressable('', box)
  if (buttons.length === 0) return null
  const question = buttons.reduce((rest, one) => rest.replace(textOf(one), ' '), text)
  if (speaksOfOffer.test(question)) return { result: 'open_offer', seen: text }
  const named = buttons.filter((one) => ends.test(nameOf(one)))
  const plain = buttons.filter((one) => agrees.test(nameOf(one)))
  const yes = named.length > 0 ? named : asksToEnd.test(question) && !asksForLess.test(question) ? plain : []
  const isOfListing = asksOfListing.test(question) || !asksOfOther.test(question)
  const isNew = session.before === null || yes.some((one) => isFresh(one, session))
  if (yes.length !== 1 || !isOfListing || !isNew || asksForMore(box)) return unknown(box)
  return first(session.done, [['confirm', yes]])
}

function unknown(dialog: Element): Obstacle {
  const seen = textOf(dialog)
  return { result: speaksOfOffer.test(seen) ? 'open_offer' : 'unknown_dialog', seen }
}

/** Returns the first button of the first list that has one and may follow the earlier steps. */
function first(
  done: readonly DownStep[],
  found: readonly (readonly [step: DownStep, controls: readonly HTMLElement[]])[],
): Press | null {
  const [step, controls] = found.find(([one, some]) => some.length > 0 && mayFollow(one, done)) ?? []
  const element = controls?.[0]
  if (!step || !element) return null
  const word = nameOf(element) || step
  // A label inside of a button, or around it, is the same button.
  const others = controls.filter((one) => !one.contains(element) && !element.contains(one))
  return { element, word, step, alone: step === 'more' || !others.some((one) => (nameOf(one) || step) === word) }
}

/** Returns what the next press needs to know of this page, before it happens. */
export function beforePress(session: Session, press: Press, site: DownSite, path: string): Session {
  const { element, step, word } = press
  const dialog = openDialogs()[0]
  return {
    done: [...session.done, step],
    before: new Map(pressable(site.extra ?? '').map((one) => [one, nameOf(one)])),
    element,
    path,
    opener: step === 'menu' ? element : session.opener,
    answered: step === 'confirm' ? new Set([...session.answered, dialog ? textOf(dialog) : word]) : session.answered,
  }
}

/** Returns true for a page where a listing can be ended, or that leads there. */
export function showsListing(site: DownSite, url: URL, listing: Listing): boolean {
  if (url.origin !== site.origin) return false
  return isPageOf(site, url.pathname, listing) || (site.lists.test(url.pathname) && namesListing(listing, site))
}

/** Returns true for the path of a listing's own page, edit form or management. */
export function isPageOf({ keyIn, keyOf }: DownSite, path: string, listing: Listing): boolean {
  return keyIn(path) !== null && keyIn(path) === keyOf(listing)
}

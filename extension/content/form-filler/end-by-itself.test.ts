// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import type { ByItself } from '#extension/messaging/take-downs.ts'
import { depopForm } from '#extension/platforms/depop/form.ts'
import { mercariForm } from '#extension/platforms/mercari/form.ts'
import type { PageAnswer } from '#extension/platforms/port.ts'
import { poshmarkForm } from '#extension/platforms/poshmark/form.ts'
import type { SellForm } from '#extension/platforms/sell-form/form.ts'
import type { DownStep } from '#extension/platforms/take-down/steps.ts'
import { simulateLayout } from '#extension/testing/simulated-layout.ts'
import { endByItself, type Surroundings } from './end-by-itself.ts'

simulateLayout()

const title = 'Wool coat, green'
const id = '65f000000000000000000001'

interface Site {
  form: SellForm
  listing: { listing_id: string; url: string }
  /** The address and the markup of the listing, its edit form, and the page after it has ended. */
  listed: readonly [string, string]
  edit: readonly [string, string]
  after: string
  dialog: string
  words: readonly string[]
  account: string
  /** The site's answer about the listing. */
  answer: (state: 'up' | 'down' | 'sold', changes?: { title?: string; seller?: string }) => Partial<PageAnswer>
}

const nextData = (item: object) =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { serverState: { 'ItemDetail:m11111111111': item } } } })}</script>`

const sites: Record<string, Site> = {
  Poshmark: {
    form: poshmarkForm,
    listing: { listing_id: id, url: `https://poshmark.com/listing/x-${id}` },
    listed: [`https://poshmark.com/listing/x-${id}`, `<h1>${title}</h1><a href="/edit-listing/${id}">Edit</a>`],
    edit: [`https://poshmark.com/edit-listing/${id}`, '<button data-et-name="delete">Delete Listing</button>'],
    after: 'https://poshmark.com/closet/sample',
    // Neither button has a name for the site's own analytics (live probe of 2026-08-11).
    dialog:
      '<div data-test="modal-container"><div data-test="modal"><p>Are you sure you want to delete this listing?</p><div data-test="modal-footer"><button>No</button><button>Yes</button></div></div></div>',
    words: ['Edit', 'Delete Listing', 'Yes'],
    account: 'sample',
    answer: (state, { title: named = title, seller = 'sample' } = {}) =>
      state === 'down'
        ? { status: 404, text: '{}' }
        : {
            text: JSON.stringify({
              data: {
                ...{ title: named, creator_username: seller, status: 'published' },
                inventory: { status: state === 'sold' ? 'sold_out' : 'available' },
              },
            }),
          },
  },
  Mercari: {
    form: mercariForm,
    listing: { listing_id: 'm11111111111', url: 'https://www.mercari.com/us/item/m11111111111/' },
    listed: [
      'https://www.mercari.com/us/item/m11111111111/',
      '<a data-testid="EditListing" href="/sell/edit/m11111111111/">Edit</a>',
    ],
    edit: ['https://www.mercari.com/sell/edit/m11111111111/', '<button>Deactivate</button>'],
    after: 'https://www.mercari.com/mypage/listings/active/',
    dialog: '<dialog open><p>Deactivate 1 item</p><button>Cancel</button><button>Deactivate</button></dialog>',
    words: ['Edit', 'Deactivate', 'Deactivate'],
    account: '77',
    answer: (state, { title: name = title, seller = '77' } = {}) =>
      state === 'down'
        ? { status: 404 }
        : { text: nextData({ name, status: state === 'up' ? 'on_sale' : 'sold_out', seller: { id: seller } }) },
  },
  Depop: {
    form: depopForm,
    listing: { listing_id: '4711', url: 'https://www.depop.com/products/sample-wool-coat/' },
    listed: ['https://www.depop.com/products/sample-wool-coat/', '<a href="manage/">Manage listing</a>'],
    edit: ['https://www.depop.com/products/sample-wool-coat/manage/', '<button>Delete listing</button>'],
    after: 'https://www.depop.com/sellinghub/selling/active/',
    dialog: '<div role="dialog"><p>This can’t be undone.</p><button>Delete</button></div>',
    words: ['Manage listing', 'Delete listing', 'Delete'],
    account: JSON.stringify({ id: 88, username: 'sample' }),
    answer: (state, { title: first = title, seller = '88' } = {}) =>
      state === 'down'
        ? { status: 404, text: JSON.stringify({ message: 'Product not found' }) }
        : {
            text: JSON.stringify({
              ...{ description: `${first}\nSoft.`, user_id: Number(seller) },
              status: state === 'sold' ? 'STATUS_PURCHASED' : 'STATUS_ONSALE',
            }),
          },
  },
}

/** A tab of a site that behaves as its stand-in does, and what the script did in it. */
function open(site: Site) {
  const tab = {
    url: new URL(site.listed[0]),
    state: 'up' as 'up' | 'down' | 'sold',
    changes: {} as { title?: string; seller?: string },
    refused: null as Partial<PageAnswer> | null,
    account: site.account as string | null,
    presses: [] as string[],
    left: [] as string[],
    /** Questions that follow the first one. */
    questions: [] as string[],
    asked: [] as DownStep[],
    allowed: true,
    keeps: false,
    goesOn: true,
    /** Called while the worker is asked. */
    answering: () => {},
    /** Called after each press, before the page changes. */
    happen: (_step: DownStep) => {},
    show([url, markup]: readonly [string, string]) {
      tab.url = new URL(url)
      document.body.innerHTML = markup
    },
  }
  tab.show(site.listed)
  // biome-ignore lint/suspicious/noDocumentCookie: as the site's own cookie
  document.cookie = `ui=${encodeURIComponent(JSON.stringify({ dh: 'sample' }))}`
  const surroundings: Surroundings = {
    form: site.form,
    ask: async ({ url }) => ({ url, status: 200, text: '', ...(tab.refused ?? site.answer(tab.state, tab.changes)) }),
    account: async () => tab.account,
    location: () => tab.url,
    goTo: (url) => void tab.left.push(url),
    pause: async () => {},
    random: () => 0.5,
    async mayPress(step) {
      tab.asked.push(step)
      tab.answering()
      return tab.allowed
    },
    press(element) {
      tab.presses.push(element.textContent.trim())
      const step = tab.asked.at(-1)!
      tab.happen(step)
      if (step === 'edit') tab.show(site.edit)
      if (step === 'delete') document.body.insertAdjacentHTML('beforeend', site.dialog)
      if (step === 'confirm' && tab.questions.length > 0) {
        document.querySelector('[role="dialog"], [role="alertdialog"], dialog, [data-test]')!.remove()
        const question = `<p>${tab.questions.shift()}</p><button>Cancel</button><button>Delete listing</button>`
        document.body.insertAdjacentHTML('beforeend', `<div role="alertdialog">${question}</div>`)
      } else if (step === 'confirm') {
        if (!tab.keeps) tab.state = 'down'
        tab.show([site.after, ''])
      }
    },
    goesOn: () => tab.goesOn,
  }
  const task = { task: 'tsk_1', title, reason: 'Sold on eBay', titles: [title], ...site.listing }
  const times = { beforePressMs: [0, 0] as const, appearsInMs: 80, askAfterMs: [0, 0] }
  const run = (given: Partial<ByItself> = {}) => endByItself({ task, pressed: [], times, ...given }, surroundings)
  return { tab, task, run }
}

describe.each(Object.entries(sites))('ending a listing on %s by itself', (_, site) => {
  it('presses what the assistant highlights, and reads the listing back', async () => {
    const { tab, run } = open(site)
    expect(await run()).toBe('down')
    expect([tab.presses, tab.asked]).toEqual([site.words, ['edit', 'delete', 'confirm']])
  })

  it('asks in time if no question follows the press', async () => {
    const { tab, run } = open({ ...site, dialog: '' })
    vi.useFakeTimers()
    try {
      let end: unknown
      void run({ times: { beforePressMs: [0, 0], appearsInMs: 10_000, askAfterMs: [0, 0] } }).then((one) => (end = one))
      await vi.advanceTimersByTimeAsync(8_000)
      expect([tab.presses, end]).toEqual([site.words.slice(0, 2), { result: 'no_button', seen: 'delete' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('presses nothing if the listing is down already', async () => {
    const { tab, run } = open(site)
    tab.state = 'down'
    expect([await run(), tab.asked]).toEqual(['down', []])
  })

  it('stops before the last press if somebody bought it meanwhile', async () => {
    const { tab, run } = open(site)
    tab.happen = (step) => {
      if (step === 'delete') tab.state = 'sold'
    }
    expect(await run()).toMatchObject({ result: 'sold_there' })
    expect(tab.presses).toEqual(site.words.slice(0, 2))
  })

  it.each<[string, string, (tab: ReturnType<typeof open>['tab']) => void]>([
    ['it sold there', 'sold_there', (tab) => Object.assign(tab, { state: 'sold' })],
    ['it is another seller’s', 'other_account', (tab) => Object.assign(tab.changes, { seller: '99' })],
    ['it has another title', 'other_listing', (tab) => Object.assign(tab.changes, { title: 'Silk dress' })],
    ['the site does not answer', 'unreadable', (tab) => Object.assign(tab, { refused: { status: 0 } })],
    ['the site limits requests', 'unreadable', (tab) => Object.assign(tab, { refused: { status: 429 } })],
    [
      'the answer is not understood',
      'unreadable',
      (tab) => Object.assign(tab, { refused: { text: '{"status":"NEW"}' } }),
    ],
    ['nobody is signed in', 'signed_out', (tab) => Object.assign(tab, { refused: { status: 401, text: '{}' } })],
    [
      'the site asks for a human',
      'challenge',
      (tab) => Object.assign(tab, { refused: { status: 403, text: '<div id="px-captcha">' } }),
    ],
    ['the page asks to sign in', 'signed_out', (tab) => tab.show([new URL('/login', tab.url).href, ''])],
    [
      'the page is another one',
      'other_page',
      (tab) => tab.show([new URL('/feed', tab.url).href, '<button>Edit</button>']),
    ],
    [
      'the page shows an unknown dialog',
      'unknown_dialog',
      () => document.body.insertAdjacentHTML('beforeend', '<div role="dialog">New terms <button>Delete</button></div>'),
    ],
    ['the button is missing', 'no_button', () => document.body.replaceChildren()],
    [
      'the button is disabled',
      'no_button',
      () => document.querySelector('a, button')!.setAttribute('aria-disabled', 'true'),
    ],
    [
      'two buttons say the same',
      'no_button',
      () => document.body.append(document.querySelector('a, button')!.cloneNode(true)),
    ],
    [
      'a button to delete stands where none belongs',
      'no_button',
      () => {
        document.body.innerHTML = '<button data-et-name="delete">Delete</button>'
      },
    ],
  ])('presses nothing if %s', async (_case, result, arrange) => {
    const { tab, run } = open(site)
    arrange(tab)
    expect(await run({ pressed: ['open'] })).toMatchObject({ result })
    expect(tab.presses).toEqual([])
  })

  it.each<[string, string, (tab: ReturnType<typeof open>['tab']) => void]>([
    [
      'another dialog opens',
      'unknown_dialog',
      () => document.body.insertAdjacentHTML('afterbegin', '<div role="alertdialog">Are you there?</div>'),
    ],
    [
      'the dialog asks for more',
      'unknown_dialog',
      () =>
        queueMicrotask(() =>
          document.querySelector('[role="dialog"], dialog, [data-test]')!.append(document.createElement('input')),
        ),
    ],
    ['the page is left', 'other_page', (tab) => tab.show([new URL('/feed', tab.url).href, ''])],
  ])('does not confirm if %s', async (_case, result, arrange) => {
    const { tab, run } = open(site)
    tab.happen = (step) => {
      if (step === 'delete') arrange(tab)
    }
    expect(await run()).toMatchObject({ result })
    expect(tab.presses).toEqual(site.words.slice(0, 2))
  })

  it('opens the list of listings once, where a page has no button', async () => {
    const { tab, run } = open(site)
    document.body.replaceChildren()
    const { list } = site.form.down
    expect(await run()).toEqual(list ? null : expect.objectContaining({ result: 'no_button' }))
    expect([tab.left, tab.presses]).toEqual([list ? [list] : [], []])
  })

  it('loads a page again once that stays half loaded', async () => {
    const { tab, run } = open(site)
    document.body.innerHTML = '<main aria-busy="true"></main>'
    expect([await run(), tab.left, tab.asked]).toEqual([null, [site.listed[0]], ['reload']])
    expect(await run({ pressed: ['reload', 'open'] })).toMatchObject({ result: 'no_button' })
    expect(tab.left).toHaveLength(1)
  })

  it('answers a second question after the first, and no third', async () => {
    const { tab, run } = open(site)
    tab.questions = ['Deleting it cannot be undone.', 'Deleting it is final.']
    expect(await run()).toMatchObject({ result: 'unknown_dialog' })
    expect(tab.presses).toEqual([...site.words, 'Delete listing'])
    const other = open(site)
    other.tab.questions = ['Deleting it cannot be undone.']
    expect([await other.run(), other.tab.presses]).toEqual(['down', [...site.words, 'Delete listing']])
  })

  it('presses nothing that the worker does not allow', async () => {
    const { tab, run } = open(site)
    tab.allowed = false
    expect(await run()).toMatchObject({ result: 'stopped' })
    expect(tab.presses).toEqual([])
  })

  it('presses nothing once the seller took over', async () => {
    const { tab, run } = open(site)
    tab.happen = () => {
      tab.goesOn = false
    }
    expect([await run(), tab.presses, tab.asked]).toEqual([null, site.words.slice(0, 1), ['edit']])
    const other = open(site)
    other.tab.answering = () => {
      other.tab.goesOn = false
    }
    expect([await other.run(), other.tab.presses]).toEqual([null, []])
  })

  it('continues on the next page without repeating a press', async () => {
    const { tab, run } = open(site)
    tab.show(site.edit)
    expect([await run({ pressed: ['edit'] }), tab.asked]).toEqual(['down', ['delete', 'confirm']])
    const again = open(site)
    expect(await again.run({ pressed: ['open', 'edit'] })).toMatchObject({ result: 'no_button' })
    again.tab.show(site.edit)
    expect(await again.run({ pressed: ['edit', 'delete'] })).toMatchObject({ result: 'no_button' })
    expect(again.tab.presses).toEqual([])
  })

  it('reads first after the last press, and never presses it twice', async () => {
    const { tab, run } = open(site)
    tab.show(site.edit)
    document.body.insertAdjacentHTML('beforeend', site.dialog)
    expect(await run({ pressed: ['edit', 'delete', 'confirm'] })).toMatchObject({ result: 'still_live' })
    tab.state = 'down'
    expect(await run({ pressed: ['edit', 'delete', 'confirm'] })).toBe('down')
    expect(tab.presses).toEqual([])
  })

  it('does not say that it ended while it is live', async () => {
    const { tab, run } = open(site)
    tab.keeps = true
    expect(await run()).toMatchObject({ result: 'still_live' })
  })

  it('accepts the title that the listing had when it was last read', async () => {
    const { tab, run, task } = open(site)
    tab.changes.title = 'Green coat of wool'
    expect(await run({ task: { ...task, titles: [title, 'Green coat of wool'] } })).toBe('down')
  })
})

import type { ExtensionSlug } from '#shared/platforms.ts'

/** Obstacles on the pages where a listing ends. `plain` is nothing. */
export const obstacles = [
  ...(['plain', 'delete_only', 'tip', 'look_alike', 'load_more'] as const),
  ...(['other_dialog', 'menu', 'hub', 'offer', 'signed_out', 'captcha', 'slow'] as const),
  ...(['half_loaded', 'sold_there', 'already_ended', 'two_steps', 'unknown_page'] as const),
  ...(['native_menu', 'native_question', 'native_offer'] as const),
] as const
export type Obstacle = (typeof obstacles)[number]

/** A listing as the pages name it, another one that looks like it, and how long slow pages take, in ms. */
export interface Ending {
  id: string
  other: string
  title: string
  slowMs: number
}

/**
 * Returns the pages of a listing in the forms that the fixtures of `extension/platforms` have, by path. Each control says
 * what it does in `data-do`: `go`, `show`, `hide`, `end`. A control without it must never be pressed.
 */
export function endingPages(platform: ExtensionSlug, obstacle: Obstacle, ending: Ending): Record<string, string> {
  const { listing, rest } = bodies[platform](obstacle, ending)
  const all = { ...rest, ...listing }
  return Object.fromEntries(Object.entries(all).map(([path, body]) => [path, page(body, obstacle, ending)]))
}

type Bodies = (obstacle: Obstacle, ending: Ending) => { listing: Record<string, string>; rest: Record<string, string> }

/** The questions after a button to delete, by obstacle. */
function question(obstacle: Obstacle, form: (text: string, no: string, yes: string) => string, yes: string): string {
  const end = '<button data-do="end">'
  // The browser asks instead.
  if (obstacle === 'native_question' || obstacle === 'native_offer') return ''
  if (obstacle === 'offer') {
    return form(
      'You have an open offer on this listing. Decline it first.',
      '<button>Cancel</button>',
      '<button>View offer</button>',
    )
  }
  if (obstacle === 'other_dialog') {
    return `<div id="ask" hidden><p>Do you really want to delete this listing?</p><a role="button" data-do="hide ask">Keep it</a><a role="button" data-do="end">Yes, delete</a></div>`
  }
  if (obstacle === 'two_steps') {
    const second = `<div id="ask-again" role="alertdialog" hidden><p>Deleting it cannot be undone.</p><button>Go back</button>${end}Delete listing</button></div>`
    return (
      form(
        'Are you sure you want to delete this listing?',
        '<button>No</button>',
        `<button data-do="swap ask ask-again">${yes}</button>`,
      ) + second
    )
  }
  return form('Are you sure you want to delete this listing?', '<button>No</button>', `${end}${yes}</button>`)
}

/** Returns the act of the button to delete. */
function asking(obstacle: Obstacle): string {
  return obstacle === 'native_question' || obstacle === 'native_offer' ? obstacle : 'show ask'
}

const nativeMenu = (name: string, ends: string) =>
  `<select aria-label="${name}"><option>${name}</option><option>Share</option><option data-do="show ask">${ends}</option></select>`

const tip =
  '<div id="tip" role="dialog"><h2>List faster with templates</h2><button data-do="hide tip">Got it</button></div>'

const bodies: Record<ExtensionSlug, Bodies> = {
  poshmark(obstacle, { id, other, title }) {
    const edit = `/edit-listing/${id}`
    const dialog = (text: string, no: string, yes: string) =>
      `<div id="ask" data-test="modal-container" hidden><div data-test="modal"><p>${text}</p><div data-test="modal-footer">${no}${yes}</div></div></div>`
    const similar = `<section><h4>Similar Items</h4><div class="tile"><a data-et-name="listing" data-et-prop-listing_id="${other}" href="/listing/x-${other}">${title}</a><a href="/edit-listing/${other}">Edit</a></div></section>`
    const own =
      obstacle === 'menu'
        ? `<button aria-label="More options" data-do="show menu">...</button><div id="menu" role="menu" hidden><a role="menuitem" href="/edit-listing/${other}x">Share</a><a role="menuitem" data-do="show ask">Delete Listing</a></div>${question(obstacle, dialog, 'Yes')}`
        : `<a data-et-name="edit_listing" href="${edit}" data-do="go ${edit}">Edit</a>`
    const isKept = ['plain', 'tip', 'slow', 'look_alike', 'hub', 'half_loaded', 'load_more', 'native_menu'].includes(
      obstacle,
    )
    const nativeState =
      '<section><select aria-label="Availability"><option>For Sale</option><option data-do="chosen">Not For Sale</option></select></section>'
    const ownState = `<section data-et-name="listingEditorAvailabilitySection"><div class="dropdown"><div class="dropdown__selector" id="state" data-do="show states">For Sale</div><ul id="states" hidden><li><a class="dropdown__link" data-et-name="available">For Sale</a></li><li><a class="dropdown__link" data-et-name="not_for_sale" data-do="choose state states">Not For Sale</a></li></ul></div></section>`
    const state = obstacle === 'native_menu' ? nativeState : ownState
    const review = `<div id="review" hidden><h3>${title}</h3><button data-et-prop-listing_id="${id}" data-do="end">List This Item</button></div>`
    const form = `<main><h2>Edit Listing</h2><input value="${title}">${isKept ? state : ''}<a data-et-name="delete" data-do="${isKept ? 'wrong' : asking(obstacle)}">Delete Listing</a><button>Cancel</button><button data-et-name="update" data-do="${isKept ? 'show review' : 'wrong'}">Update</button></main>${question(obstacle, dialog, 'Yes')}${review}`
    const closet = `<main><h1>Closet</h1>${similar.replace(/<\/?section>/g, '')}<div class="tile"><a data-et-name="listing" href="/listing/x-${id}">${title}</a><a href="${edit}" data-do="go ${edit}">Edit</a></div></main>`
    return {
      listing: { [`/listing/x-${id}`]: `<main><h1>${title}</h1>${own}${similar}</main>` },
      rest: { [edit]: (obstacle === 'tip' ? tip : '') + form, '/closet/samplecloset': closet },
    }
  },
  mercari(obstacle, { id, other, title }) {
    const edit = `/sell/edit/${id}/`
    const dialog = (text: string, no: string, yes: string) =>
      `<div id="ask" role="dialog" hidden><p>${text}</p>${no}${yes}</div>`
    const similar = `<section><h2>Similar items</h2><div data-testid="ItemCell"><a href="/us/item/${other}/"><p>${title}</p></a><button data-testid="EditListing">Edit</button></div></section>`
    const own =
      obstacle === 'native_menu'
        ? `${nativeMenu('More', 'Deactivate')}${question(obstacle, dialog, 'Deactivate')}`
        : obstacle === 'menu'
          ? `<button data-testid="MoreItemOptions" data-do="show menu">More</button><div id="menu" data-testid="ItemOptions" hidden><button>Copy link</button><button data-do="show ask">Deactivate</button></div>${question(obstacle, dialog, 'Deactivate')}`
          : `<a data-testid="EditListing" href="${edit}" data-do="go ${edit}">Edit</a><button data-testid="MoreItemOptions">Share</button>`
    const isKept = obstacle !== 'delete_only'
    const button = isKept
      ? `<button data-testid="ActivateDeactivateButton" data-do="${asking(obstacle)}">Deactivate</button><button>Delete</button>`
      : '<button data-do="show ask">Delete listing</button>'
    const form = `<main><h2>Edit your listing</h2><ul><li><p>Photo</p><button>Delete</button></li></ul><input value="${title}"><textarea name="g-recaptcha-response" hidden></textarea>${button}<button data-testid="ListButton">Update</button></main>${question(obstacle, dialog, isKept ? 'Deactivate' : 'Delete')}`
    const row = (one: string, what: string) =>
      `<li><input type="checkbox" data-testid="ListingItemCheckbox" aria-label="Select" data-do="${what}"><a href="/us/item/${one}/">${title}</a></li>`
    const list = `<main><h1>My listings</h1><div data-testid="BulkActions"><input type="checkbox" data-testid="SelectAllCheckbox"><button data-do="show bulk">Deactivate</button></div><ul id="rows">${row(other, 'wrong')}${obstacle === 'load_more' ? `</ul><template id="rest">${row(id, 'tick')}</template><button data-do="add rows rest">Load more</button>` : `${row(id, 'tick')}</ul>`}</main><dialog id="bulk">Deactivate 1 item<button>Cancel</button><button data-do="end">Deactivate</button></dialog>`
    const bare = obstacle === 'load_more' ? '' : own
    return {
      listing: { [`/us/item/${id}/`]: `<main><h1 data-testid="ItemName">${title}</h1>${bare}${similar}</main>` },
      rest: { [edit]: (obstacle === 'tip' ? tip : '') + form, '/mypage/listings/active/': list },
    }
  },
  depop(obstacle, { id, other, title }) {
    const dialog = (text: string, no: string, yes: string) =>
      `<div id="ask" role="dialog" hidden><button aria-label="Close">×</button><p>${text}</p>${no}${yes}</div>`
    const similar = `<section><h2>You might also like</h2><ul><li><a href="/products/${other}/"><p>${title}</p></a><button>Delete listing</button></li></ul></section>`
    const menu = `<div id="menu" role="menu" hidden><button role="menuitem">Boost</button><button role="menuitem">Mark as sold</button><button role="menuitem" data-do="show ask">Delete</button></div>`
    const own =
      obstacle === 'native_menu'
        ? nativeMenu('Manage', 'Delete')
        : obstacle === 'menu'
          ? `<button aria-label="More options" data-do="show menu">...</button>${menu}`
          : `<a href="/products/edit/${id}/">Edit listing</a><button>Boost listing</button><button data-do="${asking(obstacle)}">Delete listing</button>`
    const row = (one: string, what: string) =>
      `<li><a href="/products/${one}/manage/">${title}</a><a href="/products/edit/${one}/">Edit</a><button aria-label="Manage listings" data-do="${what}">Manage</button></li>`
    const hub = `<main><h1>Active items (2)</h1><ul id="rows">${row(other, 'wrong')}${obstacle === 'load_more' ? `</ul><template id="rest">${row(id, 'show menu')}</template><button data-do="add rows rest">Load more</button>` : `${row(id, 'show menu')}</ul>`}</main>${menu}${question(obstacle, dialog, 'Confirm')}`
    const bare = obstacle === 'load_more' ? '' : own
    return {
      listing: {
        [`/products/${id}/`]: `<main><h1>${title}</h1>${bare}${similar}</main>${question(obstacle, dialog, 'Confirm')}`,
      },
      rest: { '/sellinghub/selling/active/': (obstacle === 'tip' ? tip : '') + hub },
    }
  },
}

function page(body: string, obstacle: Obstacle, { slowMs }: Ending): string {
  const shown =
    obstacle === 'captcha'
      ? '<h1>Please verify</h1><div id="px-captcha">Press &amp; Hold</div>'
      : obstacle === 'unknown_page'
        ? '<main><h1>New here</h1><button>Continue</button></main>'
        : body
  const draw = `document.getElementById('app').innerHTML = document.getElementById('page').innerHTML`
  const script = `
    const by = (id) => document.getElementById(id)
    const show = (one) => { one.hidden = false; one.showModal?.() }
    const questions = {
      native_question: 'Are you sure you want to delete this listing?',
      native_offer: 'This listing has an open offer. Delete it anyway?',
    }
    document.addEventListener('change', ({ target }) => { if (target.matches('select')) act(target.selectedOptions[0]) })
    document.addEventListener('click', (event) => {
      const control = event.target.closest('[data-do], button, a, [role=button], input')
      if (!control || control.closest('select')) return
      event.preventDefault()
      // The browser's own question stops the page, so it is asked first.
      const question = questions[control.dataset.do]
      if (question && confirm(question)) control.dataset.do = 'end'
      act(control)
    })
    const act = async (control) => {
      const [what, ...on] = (control.dataset.do ?? 'wrong').split(' ')
      const word = control.getAttribute('aria-label') ?? control.textContent.trim()
      await fetch('/stand-in/press', { method: 'POST', body: JSON.stringify({ what, word }) })
      if (what === 'go') location.assign(on[0])
      if (what === 'show') setTimeout(() => show(by(on[0])), 60)
      if (what === 'hide') by(on[0]).hidden = true
      if (what === 'swap') { by(on[0]).hidden = true; show(by(on[1])) }
      if (what === 'choose') { by(on[0]).textContent = control.textContent; by(on[1]).hidden = true }
      if (what === 'tick') control.checked = true
      if (what === 'add') by(on[0]).append(by(on[1]).content.cloneNode(true))
      if (what === 'end') { await fetch('/stand-in/end', { method: 'POST' }); document.body.textContent = 'Done.' }
    }
    ${obstacle === 'slow' ? `setTimeout(() => { ${draw} }, ${slowMs})` : draw}`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stand-in</title></head><body><div id="app"></div><template id="page">${shown}</template><script>${script}</script></body></html>`
}

/** A page that never gets beyond its frame. */
export const halfLoaded =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stand-in</title></head><body><main aria-busy="true"><div class="skeleton">&nbsp;</div></main></body></html>'

import { type FormKit, scriptTag } from './form-kit.ts'
import { poshmarkOptions } from './options.ts'

interface PoshmarkFormOptions {
  /** Where the site goes after publishing. */
  next: string
  id: string
  /** Smart Sell is on in the price dialog, as in many accounts, and wants a minimum. */
  smart: boolean
}

/** Returns Poshmark's sell form with our own markup for the parts recorded of the real one (2026-09). */
export function poshmarkForm(options: PoshmarkFormOptions): string {
  return withScript(ownMarkup, options)
}

/** Returns the recorded form with the stand-in's script in place of the site's own. */
export function recordedPoshmarkForm(markup: string, options: PoshmarkFormOptions): string {
  return withScript(markup, options)
}

const style = `<style>.hidden,.listing-editor__original-price--hidden{display:none!important}</style>`

function withScript(markup: string, options: PoshmarkFormOptions): string {
  return markup
    .replace('</head>', () => `${style}</head>`)
    .replace('</body>', () => `${scriptTag(poshmarkScript, { ...options, ...poshmarkOptions })}</body>`)
}

async function poshmarkScript(kit: FormKit, options: PoshmarkFormOptions & typeof poshmarkOptions): Promise<void> {
  const { model, presses, get, make, wait, control } = kit
  const must = <T extends Element = HTMLElement>(selector: string): T => get<T>(selector)!
  const toggle = (menu: Element, open?: boolean) =>
    menu.classList.toggle('hidden', open === undefined ? undefined : !open)

  // Photos: the site takes them from the field, then asks for the cover.
  const files = must<HTMLInputElement>('#img-file-input')
  const modal = [must('#cover-backdrop'), must('#cover-modal')]
  files.addEventListener('change', async () => {
    model.photos = [...files.files!].map(({ name, size, type }) => ({ name, size, type }))
    files.value = ''
    await wait(200)
    for (const part of modal) toggle(part, true)
  })
  must('#cover-apply').addEventListener('click', () => {
    presses.push('cover')
    for (const part of modal) toggle(part, false)
    must('#tiles').replaceChildren(
      ...model.photos.map(({ name }) => make(`<span class="tile">${kit.quote(name)}</span>`)),
    )
  })

  control(must<HTMLInputElement>('[data-vv-name=title]'), (value) => {
    model.title = value.slice(0, 80)
    return model.title
  })
  control(must<HTMLTextAreaElement>('[data-vv-name=description]'), (value) => {
    model.description = value
    return value
  })

  // Category: departments first, replaced by their subcategories.
  const categories = must('#category-menu')
  must('#category-selector').addEventListener('click', () => toggle(categories))
  for (const link of document.querySelectorAll<HTMLElement>('#category-list a[data-et-name]')) {
    link.addEventListener('click', async (event) => {
      event.preventDefault()
      const department = link.dataset.etName!
      if (department === 'all') return
      await wait(120)
      const kinds = options.categories[department] ?? []
      must('#category-list').replaceChildren(
        ...kinds.map((kind) => {
          const item = make(
            `<li class="dropdown__menu__item"><div class="dropdown__link"><p>${kit.quote(kind)}</p></div></li>`,
          )
          item.addEventListener('click', () => chooseKind(link.textContent!.trim(), kind))
          return item
        }),
      )
    })
  }
  const subcategories = must('#subcategory-menu')
  toggle(must('#subcategory-dropdown'), false)
  function chooseKind(department: string, kind: string): void {
    model.category = [department, kind]
    must('#category-selector').textContent = model.category.join(' > ')
    toggle(categories, false)
    const narrow = options.subcategories[kind] ?? []
    toggle(must('#subcategory-dropdown'), narrow.length > 0)
    subcategories.replaceChildren(
      ...['None', ...narrow].map((name) => {
        const item = make(
          `<li class="dropdown__menu__item"><a class="dropdown__link" data-et-name="sub_category" href="#">${kit.quote(name)}</a></li>`,
        )
        // Only clicks on the link itself count.
        item.firstElementChild!.addEventListener('click', (event) => {
          event.preventDefault()
          model.category = [department, kind, ...(name === 'None' ? [] : [name])]
          must('#subcategory-selector').textContent = name
          toggle(subcategories, false)
        })
        return item
      }),
    )
    drawSizes(options.sizes[kind] ?? options.sizes['*']!)
  }
  must('#subcategory-selector').addEventListener('click', () => toggle(subcategories))

  // Size: tabs of size systems; "Done" applies.
  const sizes = must('#size-menu')
  must('[data-test=size]').addEventListener('click', () => toggle(sizes))
  must('#size-buttons').replaceChildren()
  must('#size-tabs').replaceChildren()
  let size = ''
  function drawSizes(systems: Record<string, string[]>): void {
    must('#size-tabs').replaceChildren(
      ...Object.entries(systems).map(([name, labels]) => {
        const tab = make(`<li><a class="navigation--horizontal__link" href="#">${name}</a></li>`)
        tab.addEventListener('click', (event) => {
          event.preventDefault()
          drawButtons(labels)
        })
        return tab
      }),
    )
    drawButtons(Object.values(systems)[0]!)
  }
  function drawButtons(labels: string[]): void {
    must('#size-buttons').replaceChildren(
      ...labels.map((label) => {
        const one = make(
          `<button type="button" id="size-${label}" class="multi-size-selector__button">${label}</button>`,
        )
        one.addEventListener('click', () => {
          size = label
        })
        return one
      }),
    )
  }
  must('#size-apply').addEventListener('click', () => {
    model.size = size
    must('[data-test=size]').textContent = size
    toggle(sizes, false)
  })

  const conditions = must('#condition-menu')
  must('#condition-selector').addEventListener('click', () => toggle(conditions))
  for (const option of document.querySelectorAll<HTMLElement>('[data-et-name=listing_condition]')) {
    option.addEventListener('click', () => {
      model.condition = option.dataset.etPropContent!
      must('#condition-selector').textContent = option.firstElementChild!.textContent
      toggle(conditions, false)
    })
  }

  // Brand: any text, with late suggestions.
  const brand = must<HTMLInputElement>('#brand-input')
  let asked = 0
  const showBrand = control(brand, (value) => {
    model.brand = value
    void suggest(value, ++asked)
    return value
  })
  async function suggest(value: string, mine: number): Promise<void> {
    await wait(300)
    if (mine !== asked) return
    const known = options.brands.filter(
      (name) => value && name.toLowerCase().startsWith(value.toLowerCase().slice(0, 4)),
    )
    must('#brand-list').replaceChildren(
      ...known.map((name) => {
        const item = make(`<li class="dropdown__menu__item"><a class="dropdown__link">${kit.quote(name)}</a></li>`)
        item.addEventListener('click', () => {
          model.brand = name
          showBrand(name)
          toggle(must('#brand-list'), false)
        })
        return item
      }),
    )
    toggle(must('#brand-list'), known.length > 0)
  }

  // Colors: at most two; "Done" applies.
  const colors = must('#color-menu')
  let chosen: string[] = []
  must('#color-selector').addEventListener('click', () => toggle(colors))
  must('#color-tiles').replaceChildren(
    ...options.colors.map((name) => {
      const tile = make(
        `<li class="listing-editor__tile--color"><div><a class="color__circle--large"></a><span>${name}</span></div></li>`,
      )
      tile.firstElementChild!.addEventListener('click', () => {
        if (chosen.includes(name)) chosen = chosen.filter((one) => one !== name)
        else if (chosen.length < 2) chosen.push(name)
      })
      return tile
    }),
  )
  must('#color-apply').addEventListener('click', () => {
    model.colors = [...chosen]
    must('#color-selector').textContent = chosen.join(', ')
    toggle(colors, false)
  })

  // Price: in a dialog, whole dollars only.
  const price = must<HTMLInputElement>('[data-vv-name=listingPrice]')
  const inDialog = must<HTMLInputElement>('#listing-price-modal-listing-price-input')
  let amount = ''
  price.addEventListener('click', () => toggle(must('#price-modal'), true))
  control(inDialog, (value) => {
    amount = value
    return value
  })
  must('#price-done').addEventListener('click', () => {
    if (!/^\$?\d+$/.test(amount) || must<HTMLInputElement>('#smart-sell').checked) return
    model.price = amount.replace('$', '')
    price.value = `$${model.price}`
    toggle(must('#price-modal'), false)
  })
  must<HTMLInputElement>('#smart-sell').checked = options.smart
  must('#smart-sell').addEventListener('click', () => presses.push('smart sell'))

  control(must<HTMLInputElement>('[data-vv-name=sku]'), (value) => {
    model.sku = value
    return value
  })
  must('#details-toggle').addEventListener('click', () => {
    toggle(must('#details-body'))
    must('#details-toggle').textContent = get('#details-body.hidden') ? 'show details' : 'hide details'
  })

  for (const name of ['next', 'discard', 'save_draft', 'list_item']) {
    for (const one of document.querySelectorAll(`[data-et-name=${name}]`)) {
      one.addEventListener('click', () => presses.push(name))
    }
  }
  must('#next').addEventListener('click', () => {
    const complete = model.photos.length > 0 && model.title && model.description && model.category.length > 1
    if (!complete || !model.size || !model.price) return
    toggle(must('#form'), false)
    toggle(must('#review'), true)
  })
  must('#list-it').addEventListener('click', async () => {
    const body = JSON.stringify({ post: model })
    const headers = { 'content-type': 'application/json' }
    await fetch(`/vm-rest/posts/${options.id}`, { method: 'POST', headers, body })
    const answer = await fetch(`/vm-rest/posts/${options.id}/status/published`, { method: 'PUT' })
    if (answer.ok) location.assign(options.next)
  })
  document.body.dataset.drawn = 'true'
}

const ownMarkup = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>New listing - Poshmark</title>
<style>
body{font:14px system-ui;margin:0;color:CanvasText}
main{max-width:640px;margin:0 auto 96px;padding:24px 16px;display:grid;gap:20px}
label,.name{display:block;font-weight:600;margin-bottom:6px}
input:not([type=file]):not([type=checkbox]),textarea,.dropdown__selector{box-sizing:border-box;width:100%;padding:10px 12px;border:1px solid #8886;border-radius:4px;background:none;color:inherit;font:inherit}
textarea{min-height:120px}
.dropdown{position:relative}.dropdown__menu{position:absolute;inset-inline:0;z-index:3;max-height:220px;overflow:auto;background:Canvas;border:1px solid #8886;margin:0;padding:8px;list-style:none}
.dropdown__menu ul{list-style:none;margin:0;padding:0}.dropdown__link{display:block;padding:6px;color:inherit;text-decoration:none}
#size-buttons,#color-tiles,#size-tabs,#tiles{display:flex;flex-wrap:wrap;gap:8px;padding:6px 0}
.modal{position:fixed;inset:20vh 0 auto;margin:auto;width:320px;background:Canvas;border:1px solid #8886;padding:16px;z-index:5}.modal-backdrop{position:fixed;inset:0;background:#0006;z-index:4}
.btn{padding:10px 18px;border:1px solid #8886;border-radius:4px;background:none;color:inherit;font:inherit}.btn--primary{background:#822432;color:#fff}
.tile{width:72px;height:72px;background:#8883;border-radius:4px;display:grid;place-items:center;font-size:11px}
</style></head><body>
<main id="form"><h1>New listing</h1>
<div data-et-name="listingEditorImageSection"><span class="name">Photos</span>
<label class="btn">Add photos<input id="img-file-input" type="file" multiple class="hidden"></label><div id="tiles"></div>
<div id="cover-backdrop" class="modal-backdrop hidden"></div><div id="cover-modal" class="modal hidden" data-test="modal-container"><p>Choose a cover</p><button id="cover-apply" class="btn btn--primary" data-et-name="apply" data-et-on-name="select_first_photo">Apply</button></div></div>
<div><label for="t">Title</label><input id="t" data-vv-name="title" maxlength="80"></div>
<div><label for="d">Description</label><textarea id="d" data-vv-name="description"></textarea></div>
<div><span class="name">Category</span>
<div class="listing-editor__category-container"><div class="dropdown"><div class="dropdown__selector" id="category-selector">Select a category</div>
<div class="dropdown__menu hidden" id="category-menu"><ul id="category-list">${[
  'all',
  'women',
  'men',
  'kids',
  'home',
  'pets',
  'electronics',
]
  .map(
    (name) =>
      `<li><a class="dropdown__link" data-et-name="${name}" href="#">${name === 'all' ? 'All' : name[0]!.toUpperCase() + name.slice(1)}</a></li>`,
  )
  .join('')}</ul></div></div></div>
<div class="listing-editor__subcategory-container" style="margin-top:8px"><div class="dropdown" id="subcategory-dropdown"><div class="dropdown__selector" id="subcategory-selector">Subcategory (optional)</div><ul class="dropdown__menu hidden" id="subcategory-menu"></ul></div></div></div>
<div><span class="name">Size</span><div class="dropdown"><div class="dropdown__selector" data-test="size">Select a size</div>
<div class="dropdown__menu hidden" id="size-menu"><ul id="size-tabs"></ul><div id="size-buttons"></div><button type="button" class="btn" data-et-name="apply" id="size-apply">Done</button></div></div></div>
<div><span class="name">Condition</span><div class="listing-editor__condition-container"><div class="dropdown"><div class="dropdown__selector" id="condition-selector">Select a condition</div>
<ul class="dropdown__menu hidden" id="condition-menu">${[
  ['nwt', 'New With Tags (NWT)'],
  ['uln', 'Like New'],
  ['ug', 'Good'],
  ['uf', 'Fair'],
]
  .map(
    ([code, name]) =>
      `<li><div class="dropdown__link" data-et-name="listing_condition" data-et-prop-content="${code}"><div>${name}</div></div></li>`,
  )
  .join('')}</ul></div></div></div>
<div><span class="name">Brand</span><div class="dropdown"><input id="brand-input" placeholder="Enter the Brand/Designer"><ul class="dropdown__menu listing-editor__suggestions-list hidden" id="brand-list"></ul></div></div>
<div><span class="name">Colors</span><div class="dropdown"><div class="dropdown__selector" id="color-selector"><div data-et-name="color">Up to 2 colors</div></div>
<div class="dropdown__menu hidden" id="color-menu"><ul id="color-tiles"></ul><button class="btn" data-et-name="apply" data-et-on-name="color_tile" id="color-apply">Done</button></div></div></div>
<div data-et-name="listingEditorPricingSection"><label for="p">Listing price</label><input id="p" data-vv-name="listingPrice" readonly>
<div id="price-modal" class="modal hidden" data-test="modal-container"><div data-test="modal-body"><label for="listing-price-modal-listing-price-input">Listing price</label><input id="listing-price-modal-listing-price-input"><h4>Smart Sell</h4><label data-test="toggle-switch"><input type="checkbox" data-test="toggle-input" id="smart-sell"></label></div><div data-test="modal-footer"><button class="btn btn--primary" id="price-done">Done</button></div></div></div>
<div><a class="listing-editor-toggle-link" id="details-toggle">show details</a><div id="details-body" class="hidden"><label for="s">SKU</label><input id="s" data-vv-name="sku"></div></div>
<div><a data-et-name="discard" href="#" class="btn">Cancel</a> <button class="btn btn--primary" data-et-name="next" id="next">Next</button></div>
</main>
<div id="review" class="hidden"><main><h2>Review your listing</h2><button class="btn btn--primary" id="list-it" data-et-name="list_item">List This Item</button></main></div>
</body></html>`

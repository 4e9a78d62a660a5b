import { type FormKit, scriptTag } from './form-kit.ts'
import { mercariOptions } from './options.ts'

/** The `data-testid` of the form's parts. */
export type MercariTestIds = Record<keyof typeof ownTestIds, string>

/** As sellers' tools of 2026 know them. */
export const ownTestIds = {
  photos: 'SellPhotoInput',
  title: 'Title',
  description: 'Description',
  category_level_0: 'CategoryL0',
  category_level_0_option: 'CategoryL0-option',
  category_level_1: 'CategoryL1',
  category_level_1_option: 'CategoryL1-option',
  category_level_2: 'CategoryL2',
  category_level_2_option: 'CategoryL2-option',
  brand: 'Brand',
  brand_suggestion: 'BrandSuggestion',
  condition_new: 'ConditionNew',
  condition_like_new: 'ConditionLikeNew',
  condition_good: 'ConditionGood',
  condition_fair: 'ConditionFair',
  condition_poor: 'ConditionPoor',
  shipping_mercari: 'MercariShipping',
  price: 'Price',
  smart_pricing: 'SmartPricingButton',
  submit: 'ListButton',
}

export interface MercariFormOptions {
  id: string
  testIds: MercariTestIds
  /** Place of a test id: on the field, or on its container. */
  ids: 'on_fields' | 'around_fields'
  /** The category: the dialog of August 2026 with a search, or the menus of earlier forms. */
  chooser: 'dialog' | 'levels'
  /** Smart Pricing is on, as in many accounts. */
  smart: boolean
}

/**
 * Returns Mercari's sell form, drawn by script. As other sellers' tools met it from August to November 2026, a tip lies over
 * it, the category is chosen in a dialog, brands come from a list, what is recognized in the photos is written over title,
 * description, category and brand, the price is suggested, and Smart Pricing appears after it.
 */
export function mercariForm(options: MercariFormOptions): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Sell | Mercari</title>${style}</head><body><main id="root"></main>${scriptTag(mercariScript, { ...options, ...mercariOptions })}</body></html>`
}

const style = `<style>
body{font:14px system-ui;margin:0;color:CanvasText}
main{max-width:640px;margin:0 auto 96px;padding:24px 16px;display:grid;gap:20px}
.name{display:block;font-weight:600;margin-bottom:6px}
input[type=text],textarea,.opener{box-sizing:border-box;width:100%;padding:10px 12px;border:1px solid #8886;border-radius:8px;background:none;color:inherit;font:inherit;text-align:start}
textarea{min-height:120px}.opener{margin-bottom:8px;display:block}
.list{border:1px solid #8886;max-height:200px;overflow:auto}.list button{display:block;width:100%;padding:8px 12px;border:0;background:none;color:inherit;font:inherit;text-align:start}
.hidden{display:none}
.dialog{position:fixed;inset:0 0 auto;z-index:4;background:Canvas;border:1px solid #8886;padding:8px;max-height:60vh;overflow:auto}.dialog button{display:block}
.submit{padding:12px;border:0;border-radius:8px;background:#5e6df2;color:#fff;font:inherit}
label.choice{display:block;padding:4px 0}
</style>`

async function mercariScript(kit: FormKit, options: MercariFormOptions & typeof mercariOptions): Promise<void> {
  const { model, presses, make, wait, control, quote } = kit
  const { testIds } = options
  const root = document.querySelector('main')!
  // The site draws its form once its scripts are loaded.
  await wait(150)
  const id = (name: keyof MercariTestIds) => `data-testid="${testIds[name]}"`
  const part = (name: string, inner: string) => {
    const section = make(`<div><span class="name">${name}</span>${inner}</div>`)
    root.append(section)
    return section
  }
  const field = (name: keyof MercariTestIds, html: string) =>
    options.ids === 'on_fields' ? html.replace('@', id(name)) : `<div ${id(name)}>${html.replace('@', '')}</div>`

  root.append(make('<h1>List an item</h1>'))
  const photos = part(
    'Photos',
    `<label>Add up to 12 photos <input ${id('photos')} type="file" multiple accept="image/*"></label><p class="count">0 photos</p>`,
  )
  const files = photos.querySelector('input')!
  files.addEventListener('change', () => {
    model.photos.push(...[...files.files!].map(({ name, size, type }) => ({ name, size, type })))
    files.value = ''
    photos.querySelector('.count')!.textContent = `${model.photos.length} photos`
    // A title that the seller has written is kept.
    if (model.title === '') setTimeout(recognize, 1_500)
  })
  /** Writes over what is there, one field after the other. */
  async function recognize(): Promise<void> {
    Object.assign(model, { title: 'Jacket', description: 'A jacket in very good condition, ready to wear.' })
    showTitle(model.title)
    await wait(300)
    showDescription(model.description)
    if (dialogOpener) setCategory(['Men', 'Jeans', 'Slim'])
    await wait(300)
    model.brand = 'Fennick'
    showBrand(model.brand)
  }
  const title = part(
    'Title',
    field('title', '<input @ type="text" maxlength="80" placeholder="What are you selling?">'),
  )
  const showTitle = control(title.querySelector('input')!, (value) => {
    model.title = value.slice(0, 80)
    return model.title
  })
  const description = part('Description', field('description', '<textarea @ maxlength="1000"></textarea>'))
  const showDescription = control(description.querySelector('textarea')!, (value) => {
    model.description = value
    return value
  })

  const category = part('Category', '')
  const size = part('Size', '')
  size.hidden = true
  let dialogOpener: HTMLElement | null = null
  if (options.chooser === 'dialog') drawChooser()
  else drawLevel(0, Object.keys(options.categories))

  /** Draws the button of a dialog with suggestions, a search and one level at a time. */
  function drawChooser(): void {
    dialogOpener = make(
      '<button type="button" class="opener" data-testid="SellCategoryFieldButton">Select category</button>',
    )
    category.append(dialogOpener)
    dialogOpener.addEventListener('click', () => {
      const dialog = make(
        '<div role="dialog" class="dialog"><button type="button" aria-label="Close">×</button><input data-testid="CategorySearchInput" placeholder="Search category"><p>Suggested</p><div></div></div>',
      )
      root.append(dialog)
      dialog.firstElementChild!.addEventListener('click', () => dialog.remove())
      const input = dialog.querySelector('input')!
      const paths = Object.entries(options.categories).flatMap(([first, kinds]) =>
        Object.entries(kinds).flatMap(([second, names]) => names.map((name) => [first, second, name])),
      )
      const show = (rows: string[][]) => {
        dialog.querySelector('div')!.replaceChildren(
          ...rows.map((path) => {
            const row = make(
              `<button type="button" data-testid="CategoryRow"><p>${quote(path.join(' > '))}</p><svg width="8" height="8"></svg></button>`,
            )
            row.addEventListener('click', () => step(path))
            return row
          }),
        )
      }
      const step = async (path: string[]) => {
        await wait(120)
        if (path.length > 1) return [dialog.remove(), setCategory(path)]
        chosen.push(path[0]!)
        const [first, second] = chosen
        const next = second ? options.categories[first!]![second]! : Object.keys(options.categories[first!]!)
        if (chosen.length === 3 || next.length === 0) return [dialog.remove(), setCategory(chosen)]
        show(next.map((name) => [name]))
      }
      const chosen: string[] = []
      input.addEventListener('input', () => show(paths.filter((path) => path.join(' ').includes(input.value))))
      show([['Men', 'Jeans', 'Slim']])
      const all = make('<div><p>All Categories</p></div>')
      dialog.append(all)
      all.addEventListener('click', () => [all.remove(), show(Object.keys(options.categories).map((name) => [name]))])
    })
  }

  function setCategory(path: string[]): void {
    model.category = path
    dialogOpener!.textContent = path.join(' > ')
    setTimeout(() => drawSizes(path[0]!, path[1]!), 150)
  }

  /** Draws a menu of one level; choosing draws the next with a delay. */
  function drawLevel(level: number, names: string[]): void {
    for (const later of [...category.querySelectorAll<HTMLElement>('[data-level]')]) {
      if (Number(later.dataset.level) >= level) later.remove()
    }
    const name = `category_level_${level}` as keyof MercariTestIds
    const optionName = `category_level_${level}_option` as keyof MercariTestIds
    const box = make(
      `<div data-level="${level}"><button type="button" class="opener" ${id(name)}>Select category</button></div>`,
    )
    category.append(box)
    const opener = box.firstElementChild as HTMLElement
    opener.addEventListener('click', async () => {
      const open = box.querySelector('.list')
      if (open) return open.remove()
      await wait(60)
      const list = make('<div class="list" role="listbox"></div>')
      for (const one of names) {
        const option = make(`<button type="button" role="option" ${id(optionName)}>${quote(one)}</button>`)
        option.addEventListener('click', async () => {
          opener.textContent = one
          list.remove()
          model.category = [...model.category.slice(0, level), one]
          await wait(120)
          const [first, second] = model.category
          const next =
            level === 0 ? Object.keys(options.categories[first!]!) : (options.categories[first!]?.[second!] ?? [])
          if (level < 2 && next.length > 0) drawLevel(level + 1, next)
          if (level === 1) drawSizes(first!, second!)
        })
        list.append(option)
      }
      box.append(list)
    })
  }

  function drawSizes(department: string, kind: string): void {
    size.hidden = !options.sized.includes(department)
    model.size = ''
    for (const old of size.querySelectorAll('[data-testid]')) old.remove()
    const opener = make('<button type="button" class="opener" data-testid="Size">Select size</button>')
    size.append(opener)
    opener.addEventListener('click', () => {
      const list = make('<div class="list"></div>')
      for (const one of options.sizes[kind] ?? options.sizes['*']!) {
        const option = make(`<button type="button" data-testid="Size-option">${one}</button>`)
        option.addEventListener('click', () => {
          model.size = one
          opener.textContent = one
          list.remove()
        })
        list.append(option)
      }
      size.append(list)
    })
  }

  const brand = part('Brand (optional)', field('brand', '<input @ type="text" autocomplete="off">'))
  const brandField = brand.querySelector('input')!
  let asked = 0
  const showBrand = control(brandField, (value) => {
    model.brand = ''
    void suggest(value, ++asked)
    return value
  })
  async function suggest(value: string, mine: number): Promise<void> {
    await wait(250)
    if (mine !== asked) return
    brand.querySelector('.list')?.remove()
    const known = options.brands.filter((name) => value && name.toLowerCase().includes(value.toLowerCase().slice(0, 4)))
    if (known.length === 0) return
    const list = make('<div class="list"></div>')
    for (const name of known) {
      const option = make(`<button type="button" ${id('brand_suggestion')}>${quote(name)}</button>`)
      option.addEventListener('click', () => {
        model.brand = name
        showBrand(name)
        list.remove()
      })
      list.append(option)
    }
    brand.append(list)
  }

  const conditions = part('Condition', '')
  for (const [name, label] of Object.entries(options.conditions)) {
    const key = `condition_${name.replace(/(?<=.)([A-Z])/g, '_$1').toLowerCase()}` as keyof MercariTestIds
    const radio =
      options.ids === 'on_fields'
        ? `<label class="choice"><input type="radio" name="condition" ${id(key)}> ${label}</label>`
        : `<label class="choice" ${id(key)}><input type="radio" name="condition" class="hidden"> ${label}</label>`
    const choice = make(radio)
    choice.querySelector('input')!.addEventListener('change', () => {
      model.condition = label
    })
    conditions.append(choice)
  }

  const shipping = part(
    'Shipping',
    `<button type="button" class="opener" ${id('shipping_mercari')}>Mercari label</button>`,
  )
  shipping.querySelector('button')!.addEventListener('click', () => {
    model.shipping = 'mercari'
  })
  const price = part('Price', field('price', '<input @ type="text" inputmode="decimal" placeholder="$">'))
  const priceField = price.querySelector('input')!
  const showPrice = control(priceField, (value) => {
    model.price = value.replace(/[^\d.]/g, '')
    // The site adds the sign itself.
    return model.price && `$${model.price}`
  })
  priceField.addEventListener('blur', () => model.price && showPrice(`$${model.price}`))
  priceField.addEventListener('change', () => {
    if (document.querySelector(`[${id('smart_pricing')}]`)) return
    setTimeout(() => {
      const smart = part(
        'Smart pricing',
        `<button type="button" ${id('smart_pricing')} aria-pressed="${options.smart}">${options.smart ? 'ON' : 'OFF'}</button>`,
      )
      smart.querySelector('button')!.addEventListener('click', () => presses.push('smart pricing'))
      root.append(submit)
    }, 400)
  })

  const submit = make(`<button type="button" class="submit" ${id('submit')}>List</button>`)
  root.append(submit)
  submit.addEventListener('click', async () => {
    presses.push('list')
    const sized = size.hidden || model.size
    const complete = model.photos.length > 0 && model.title && model.description && model.category.length > 1 && sized
    if (!complete || !model.condition || !model.shipping || !model.price) return
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/v1/stand-in/list', { method: 'POST', headers, body: JSON.stringify(model) })
    if (answer.ok) history.pushState({}, '', `/sell/confirmation/${options.id}/`)
    root.replaceChildren(make(`<p>Your item is listed. <a href="/us/item/${options.id}/">See it</a></p>`))
  })
  const tip = make(
    '<div role="dialog" class="dialog"><p>List faster with templates</p><button type="button">Got it</button></div>',
  )
  tip.querySelector('button')!.addEventListener('click', () => tip.remove())
  root.append(tip)
  document.body.dataset.drawn = 'true'
}

import { type FormKit, scriptTag } from './form-kit.ts'
import { depopOptions } from './options.ts'

export interface DepopFormOptions {
  slug: string
  /** Menu options known from the real form; the rest is ours. */
  menus: { conditions: string[]; sources: string[]; ages: string[] }
  /** Departments above the categories: as lines of the list, or as group names. */
  headings: 'lines' | 'groups'
  /** The currency sign beside the price. */
  sign?: string | null
}

/** Returns Depop's product form, drawn by script: comboboxes with detached menus, sizes after the category. */
export function depopForm(options: DepopFormOptions): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>List an item | Depop</title>${style}</head><body><main id="root"></main><div id="portal"></div>${scriptTag(depopScript, { ...options, ...depopOptions })}</body></html>`
}

const style = `<style>
body{font:14px system-ui;margin:0;color:CanvasText}
main{max-width:640px;margin:0 auto 96px;padding:24px 16px;display:grid;gap:20px}
.name{display:block;font-weight:600;margin-bottom:6px}
input[type=text],textarea{box-sizing:border-box;width:100%;padding:10px 12px;border:1px solid #8886;border-radius:4px;background:none;color:inherit;font:inherit}
textarea{min-height:140px}
[role=listbox]{position:fixed;inset:auto 0 0;z-index:4;max-height:30vh;overflow:auto;background:Canvas;border:1px solid #8886;margin:0;padding:8px;list-style:none}
[role=option]{padding:6px}.chips span{margin-inline-end:8px}
.post{padding:12px 24px;border:0;border-radius:4px;background:#ff2300;color:#000;font:inherit}
</style>`

async function depopScript(kit: FormKit, options: DepopFormOptions & typeof depopOptions): Promise<void> {
  const { model, presses, make, wait, control, quote } = kit
  const root = document.querySelector('main')!
  const portal = document.querySelector('#portal')!
  await wait(150)
  const part = (name: string, inner: string) => {
    const section = make(`<section><span class="name">${name}</span>${inner}</section>`)
    root.append(section)
    return section
  }
  root.append(make('<h1>List an item</h1>'))

  // Photos: one picture is uploaded at a time, then the field is available again.
  const photos = part(
    'Photos',
    '<label>Add photos <input data-testid="upload-input__input" type="file" multiple accept="image/*"></label><p class="count">0 of 8</p>',
  )
  const files = photos.querySelector('input')!
  files.addEventListener('change', () => {
    model.photos.push(...[...files.files!].slice(0, 8).map(({ name, size, type }) => ({ name, size, type })))
    files.value = ''
    photos.querySelector('.count')!.textContent = `${model.photos.length} of 8`
  })
  const description = part('Description', '<textarea id="description" maxlength="1000"></textarea>')
  control(description.querySelector('textarea')!, (value) => {
    model.description = value.slice(0, 1_000)
    return model.description
  })

  interface Group {
    heading: string | null
    names: string[]
  }
  /** A combobox whose menu is in the portal, opens on click, and closes by Escape or a click elsewhere. */
  function combobox(
    name: string,
    label: string,
    groups: (typed: string) => Promise<Group[]>,
    choose: (name: string, heading: string | null) => 'close' | 'stay',
    typing = false,
  ): HTMLInputElement {
    const section = part(
      label,
      `<input id="${name}-input" type="text" role="combobox" aria-expanded="false" autocomplete="off" ${typing ? '' : 'readonly'}>`,
    )
    const input = section.querySelector('input')!
    let asked = 0
    const shut = () => {
      asked++
      portal.querySelector(`[id="${name}-menu"]`)?.remove()
      input.ariaExpanded = 'false'
    }
    const open = async (typed: string) => {
      const mine = ++asked
      const found = await groups(typed)
      if (mine !== asked) return
      shut()
      const menu = make(`<ul id="${name}-menu" role="listbox"></ul>`)
      for (const { heading, names } of found) {
        let list: HTMLElement = menu
        if (heading && options.headings === 'groups') {
          list = make(`<ul role="group" aria-label="${quote(heading)}"></ul>`)
          menu.append(list)
        } else if (heading) menu.append(make(`<li role="presentation"><strong>${quote(heading)}</strong></li>`))
        for (const one of names) {
          const option = make(`<li role="option"><span>${quote(one)}</span></li>`)
          option.addEventListener('click', () => {
            if (choose(one, heading) === 'close') shut()
            if (!typing) input.value = one
            else show(one)
          })
          list.append(option)
        }
      }
      portal.append(menu)
      input.ariaExpanded = 'true'
    }
    const show = typing
      ? control(input, (value) => {
          model.brand = ''
          if (value) void open(value)
          else shut()
          return value
        })
      : () => {}
    input.addEventListener('mousedown', () => {
      if (typing) return
      if (portal.querySelector(`[id="${name}-menu"]`)) shut()
      else void open('')
    })
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') shut()
    })
    return input
  }
  const plain =
    (names: string[], ms = 60) =>
    async () => {
      await wait(ms)
      return [{ heading: null, names }]
    }

  combobox(
    'group',
    'Category',
    async () => {
      await wait(80)
      return Object.entries(options.groups).map(([heading, names]) => ({ heading, names }))
    },
    (name, heading) => {
      model.category = [heading!, name]
      // The category's sizes appear with a delay.
      setTimeout(() => {
        if (document.querySelector('#variants-input')) return
        const before = root.children.length
        combobox('variants', 'Size', plain(options.sizes[model.category[1]!] ?? options.sizes['*']!), (size) => {
          model.size = size
          return 'close'
        })
        root.insertBefore(root.children[before]!, root.children[4]!)
      }, 250)
      return 'close'
    },
  )
  combobox(
    'brand',
    'Brand',
    async (typed) => {
      // Requested from the site's server.
      await wait(900)
      const start = typed.toLowerCase().slice(0, 4)
      return [{ heading: null, names: options.brands.filter((name) => name.toLowerCase().includes(start)) }]
    },
    (name) => {
      model.brand = name
      return 'close'
    },
    true,
  )
  combobox('condition', 'Condition', plain(options.menus.conditions), (name) => {
    model.condition = name
    return 'close'
  })
  combobox('colour', 'Colour (up to 2)', plain(options.colours), (name) => {
    if (model.colors.includes(name)) model.colors = model.colors.filter((one) => one !== name)
    else if (model.colors.length < 2) model.colors.push(name)
    return 'stay'
  })
  combobox('source', 'Source', plain(options.menus.sources), () => 'close')
  combobox('age', 'Age', plain(options.menus.ages), () => 'close')

  const price = part(
    'Price',
    `<span>${options.sign ?? ''}</span><input data-testid="priceAmount__input" type="text" inputmode="decimal">`,
  )
  control(price.querySelector('input')!, (value) => {
    const amount = value.replace(/[^\d.]/g, '')
    model.price = amount
    return amount
  })
  const sku = part('SKU (optional)', '<input id="sku" name="sku" type="text" maxlength="50">')
  control(sku.querySelector('input')!, (value) => {
    model.sku = value
    return value
  })
  const shipping = part(
    'Shipping',
    '<label><input type="radio" name="shipping" data-testid="usps__shipping__input"> Depop label</label>',
  )
  shipping.querySelector('input')!.addEventListener('change', () => {
    model.shipping = 'usps'
  })
  const boost = part(
    'Boost this listing',
    '<label><input type="checkbox" data-testid="switch"> 12% fee when it sells</label>',
  )
  boost.querySelector('input')!.addEventListener('change', () => presses.push('boost'))

  const draft = make('<button type="button" class="draft">Save as a draft</button>')
  draft.addEventListener('click', () => presses.push('draft'))
  const post = make('<button type="button" class="post">Post</button>')
  root.append(make('<p></p>'))
  root.lastElementChild!.append(draft, post)
  post.addEventListener('click', async () => {
    presses.push('post')
    const complete = model.photos.length > 0 && model.description && model.category.length > 1 && model.condition
    if (!complete || !model.size || !model.price || !model.shipping) return
    const token = /(?:^|; )access_token=([^;]+)/.exec(document.cookie)?.[1]
    const answer = await fetch('https://webapi.depop.com/presentation/api/v1/listing/products/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(model),
    })
    if (answer.status === 201) location.assign(`/products/${options.slug}/`)
  })
  document.body.dataset.drawn = 'true'
}

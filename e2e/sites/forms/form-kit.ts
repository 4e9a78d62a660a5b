/** What a stand-in's form was filled in with, as its own scripts understood it. */
export interface FormModel {
  photos: { name: string; size: number; type: string }[]
  title: string
  description: string
  category: string[]
  size: string
  condition: string
  brand: string
  colors: string[]
  price: string
  sku: string
  shipping: string
}

/** Tools of the stand-ins' forms. Runs in the page: it may use nothing from outside of itself. */
export function formKit() {
  const model: FormModel = {
    photos: [],
    title: '',
    description: '',
    category: [],
    size: '',
    condition: '',
    brand: '',
    colors: [],
    price: '',
    sku: '',
    shipping: '',
  }
  /** Everything that the site would have sent though nobody pressed its button. */
  const presses: string[] = []
  Reflect.set(globalThis, 'form', { model, presses })

  return {
    model,
    presses,
    wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    get: <T extends Element = HTMLElement>(selector: string, within: ParentNode = document) =>
      within.querySelector<T>(selector),

    /**
     * A field that the page's framework controls, as React does: a value set by a script of the page's own is taken
     * for the framework's, and what no event told of is put back.
     */
    control(field: HTMLInputElement | HTMLTextAreaElement, set: (value: string) => string | undefined) {
      const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
      let tracked = field.value
      let state = field.value
      Object.defineProperty(field, 'value', {
        configurable: true,
        get: () => own.get!.call(field),
        set(value: string) {
          tracked = String(value)
          own.set!.call(field, value)
        },
      })
      field.addEventListener('input', () => {
        const value = own.get!.call(field)
        if (value !== tracked) {
          tracked = value
          state = set(value) ?? value
        }
        if (own.get!.call(field) !== state) {
          tracked = state
          own.set!.call(field, state)
        }
      })
      field.addEventListener('blur', () => {
        tracked = state
        own.set!.call(field, state)
      })
      return (value: string) => {
        state = value
        tracked = value
        own.set!.call(field, value)
      }
    },

    /** An element made of markup. */
    make(html: string): HTMLElement {
      const template = document.createElement('template')
      template.innerHTML = html.trim()
      return template.content.firstElementChild as HTMLElement
    },
    quote: (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
  }
}

export type FormKit = ReturnType<typeof formKit>

/** A page's script that runs `script` with the kit and `options`. */
export function scriptTag<Options>(
  script: (kit: FormKit, options: Options) => void | Promise<void>,
  options: Options,
): string {
  const json = JSON.stringify(options).replace(/</g, '\\u003c')
  return `<script type="module">(${script})((${formKit})(), ${json})</script>`
}

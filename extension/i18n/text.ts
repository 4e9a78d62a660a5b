import { createText, type Messages } from './create-text.ts'
import { alertMessages } from './en/alerts.ts'
import { commonMessages } from './en/common.ts'
import { fieldMessages } from './en/fields.ts'
import { importResultMessages } from './en/imports.ts'
import { itemsMessages } from './en/items.ts'
import { pageMessages } from './en/page.ts'
import { shopStateMessages } from './en/shops.ts'

const sharedMessages = {
  ...alertMessages,
  ...commonMessages,
  ...fieldMessages,
  ...importResultMessages,
  ...itemsMessages,
  ...pageMessages,
  ...shopStateMessages,
}

/** Messages of our own pages that no single room has. */
export const { text, textIfAny } = createText(sharedMessages)

/** Creates the functions of a room, which looks up its own messages (words.ts) and the shared ones. */
export const roomText = <const Own extends Messages>(own: Own) => createText({ ...sharedMessages, ...own })

import { textsOf } from './create-text.ts'
import { everywhere } from './en/common.ts'
import { own } from './en/ui.ts'

const messages = { ...everywhere, ...own }
export type TextName = keyof typeof messages

/** The texts of our own pages; what runs in platforms' pages carries its own alone (text-in-pages.ts). */
export const { text, textIfAny, gapsOf } = textsOf(messages)

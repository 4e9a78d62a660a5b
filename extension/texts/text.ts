import { everywhere } from './en/everywhere.ts'
import { own } from './en/own.ts'
import { textsOf } from './texts-of.ts'

const messages = { ...everywhere, ...own }
export type TextName = keyof typeof messages

/** The texts of our own pages; what runs in platforms' pages carries its own alone (text-in-pages.ts). */
export const { text, textIfAny, gapsOf } = textsOf(messages)

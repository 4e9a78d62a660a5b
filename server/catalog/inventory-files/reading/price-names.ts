/** Headings that say what a price is, or how an item is sold, in the files of all programs and in people's own sheets. */
export const priceNames = {
  english: {
    /** The asking price in plain words, which counts before every other. */
    listing:
      'listing price,asking price,ask price,listed price,current listing price,listed for,listed at,asking,standard price',
    price: `price,list price,selling price,item price,variant price,my price,fixed price,price listed,ebay price,etsy price,
      poshmark price,mercari price,depop price,vinted price,grailed price,facebook price,whatnot price,shop price,
      store price,online price,new price,reduced price,final price,markdown price,your price,our price,web price,sell price,
      ebay listing price`,
    /** A fixed price, or the highest bid. */
    current: 'current price',
    regular: 'regular price,normal price,full price',
    sale: 'sale price,online sale price,discounted price,discount price,promo price,promotional price,special price',
    saleStart: `date sale price starts,sale price starts,sale start,sale start date,sale starts,sale price start date,
      sale from,sale from date,date on sale from`,
    saleEnd: `date sale price ends,sale price ends,sale end,sale end date,sale ends,sale price end date,sale until,
      sale to,date on sale to`,
    buyNow: 'buy it now price,buy it now,buy now price,auction buy it now price,bin price',
    start: `start price,starting price,start bid,starting bid,opening bid,opening price,auction start price,
      auction starting price,minimum bid`,
    bids: 'bids,number of bids,bid count,current bid,highest bid,high bid,leading bid,reserve price,auction reserve price',
    method: 'format,listing format,listing type,selling format,sale format,sales format,selling method,sale type',
    /** Mostly the kind of an item. Whatnot says here how it is sold. */
    type: 'type',
    isAuction: 'is auction,auction',
    isGiveaway: 'is giveaway,giveaway',
  },
  foreign: {
    listing: 'Wunschpreis,Prix demandé,Prix affiché,Prezzo richiesto,Precio solicitado',
    price: `Preis,Verkaufspreis,VK,VK brutto,Neuer Preis,Nouveau prix,Precio nuevo,Nuovo prezzo,VK-Preis,Festpreis,Prix,Prix de vente,Prix fixe,Tarif,Prezzo,Prezzo di vendita,
      Prezzo fisso,Precio,Precio de venta,Precio fijo,PVP`,
    current: 'Aktueller Preis,Prix actuel,Prezzo attuale,Prezzo corrente,Precio actual',
    regular: `Regulärer Preis,Normalpreis,Tarif régulier,Prix régulier,Prix normal,Prezzo di listino,Prezzo regolare,
      Precio normal,Precio regular`,
    sale: `Angebotspreis,Aktionspreis,Sonderpreis,Tarif promo,Prix promo,Prix promotionnel,Prix soldé,Prezzo in offerta,
      Prezzo scontato,Precio rebajado,Precio de oferta`,
    saleStart: `Angebotspreis gültig ab,Angebotspreis beginnt,Datum an dem Angebotspreis beginnt,
      Datum an dem der Angebotspreis beginnt,Date de début de promo,Data di inizio del prezzo in offerta,
      Data inizio prezzo in offerta,Data di inizio sconto,Día en que empieza el precio rebajado,
      Fecha en que empieza el precio rebajado`,
    saleEnd: `Angebotspreis gültig bis,Angebotspreis endet,Datum an dem Angebotspreis endet,
      Datum an dem der Angebotspreis endet,Date de fin de promo,Data di fine del prezzo in offerta,
      Data fine prezzo in offerta,Data di fine sconto,Día en que termina el precio rebajado,
      Fecha en que termina el precio rebajado,Fecha en que termina el precio de oferta`,
    buyNow: `Sofort-Kaufen-Preis,Sofortkaufpreis,Sofort-Kaufen-Preis (Auktion),Sofort-Kaufen-Preis der Auktion,Prix Achat immédiat,
      Prix d'achat immédiat,Prix Achat immédiat de l'enchère,Prezzo Compralo Subito,Prezzo Compralo Subito per asta,
      Precio de ¡Cómpralo ya!,Precio Cómpralo ya`,
    start: `Startpreis,Startgebot,Anfangspreis,Anfangsgebot,Mindestgebot,Prix de départ,Mise à prix,Enchère de départ,
      Prezzo iniziale,Prezzo di partenza,Base d'asta,Offerta iniziale,Precio inicial,Precio de salida,Puja inicial`,
    bids: `Gebote,Anzahl Gebote,Anzahl der Gebote,Aktuelles Gebot,Höchstgebot,Mindestpreis der Auktion,Enchères,Nombre d'enchères,
      Enchère actuelle,Prix de réserve,Numero di offerte,Offerta attuale,Prezzo di riserva,Pujas,Número de pujas,
      Puja actual,Precio de reserva`,
    method: `Angebotsformat,Verkaufsformat,Angebotsart,Format de l'annonce,Format de vente,Type d'annonce,Formato,
      Formato inserzione,Formato di vendita,Tipo inserzione,Formato del anuncio,Formato de venta,Tipo de anuncio`,
    type: 'Typ,Tipo',
    isAuction: 'Auktion,Enchère,Asta,Subasta',
    isGiveaway: 'Verlosung,Sorteo',
  },
} as const
export type PriceRole = keyof (typeof priceNames)['english']

/** Columns whose cells may become the price, by what else the file and the row say. */
export const priceRoles: readonly PriceRole[] = ['listing', 'price', 'current', 'regular', 'sale', 'buyNow', 'start']

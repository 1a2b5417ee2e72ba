import { languageName } from '../../parts/fields/language.ts';

const codes =
  'en_GB en_US en_AU en_CA en_IE en_IN en_NZ en_ZA ar_AE cs_CZ da_DK de_AT de_CH de_DE el_GR es_AR es_ES es_MX fi_FI fr_BE fr_CA fr_CH fr_FR he_IL hi_IN hu_HU id_ID it_IT ja_JP ko_KR nb_NO nl_BE nl_NL pl_PL pt_BR pt_PT ro_RO sv_SE th_TH tr_TR uk_UA vi_VN zh_CN zh_TW'.split(
    ' ',
  );

/** Languages with their regions, for a select; `also` is offered even if it is not among them. */
export const regionOptions = (also: string) => [
  { value: '', label: 'As the browser does' },
  ...[...new Set([...codes, ...(also ? [also] : [])])].map((value) => ({ value, label: languageName(value) })),
];

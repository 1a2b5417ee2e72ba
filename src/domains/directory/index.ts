export { isSought, type Sought, type SoughtIn, searchQuery, seek, withSought } from './search.ts';

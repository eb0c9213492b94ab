package status

import (
	"strings"
	"sync/atomic"

	"github.com/stategate/stategate/sdk/words"
)

// lexicon lists the words that count only as a field's value, in the form that Fold returns. The tables finished
// and givenUp hold the words that also count in a title or a heading if they are set apart.
//
// It is plain data that becomes a map when the first value is read, so a guest that reads only titles does not link
// it.
var lexicon = [...]struct {
	is    Status
	words string
}{
	{Open, "open todo to_do to_be_done backlog triage new " +
		"draft pending queued not_started not_yet_started unstarted not_begun not_yet_begun upcoming " +
		"outstanding unresolved reopened proposed 未开始 未開始 未着手 待办 待处理 待开始 待機中 offen ausstehend nicht_begonnen " +
		"nicht_gestartet pendiente sin_empezar sin_iniciar abierto pendente não_iniciado a_fazer aberto " +
		"à_faire en_attente non_commencé ouvert da_fare in_attesa aperto да_сделать не_начато открыто ожидает " +
		"대기 대기_중 시작_전 미시작 할_일 te_doen niet_gestart not_yet por_hacer do_zrobienia 未対応 not_been_started " +
		"has_not_been_started nothing_done nothing_done_yet nicht_angefangen zu_erledigen pas_encore_commencé " +
		"non_iniziato nie_rozpoczęto niet_begonnen nog_niet_begonnen yapılacak chưa_bắt_đầu belum_dimulai " +
		"尚未开始 未实现 未実装"},
	{Ready, "ready planned scheduled selected groomed refined ready_to_start ready_for_work ready_for_dev " +
		"ready_for_development ready_for_implementation ready_to_implement approved_for_work " +
		"approved_for_development 就绪 準備完了 bereit geplant planificado planejado prêt planifié pianificato " +
		"готово_к_работе готово_к_разработке запланировано zaplanowane gepland listo_para_empezar 已计划"},
	{InProgress, "in_progress inprogress started active doing wip work_in_progress ongoing underway under_way " +
		"in_dev in_development in_implementation implementing developing working executing running resumed " +
		"partial incomplete unfinished " +
		"进行中 進行中 开发中 開発中 実装中 作業中 対応中 in_arbeit in_bearbeitung laufend en_cours en_progreso " +
		"en_curso em_andamento em_progresso em_curso in_corso в_работе в_процессе выполняется 진행중 진행_중 작업_중 " +
		"bezig pågår under_development being_implemented halfway continuing läuft w_toku 実装中です in_progess in_progres " +
		"being_worked_on not_quite_done wird_bearbeitet prawie_gotowe devam_ediyor đang_thực_hiện sedang_dikerjakan " +
		"部分完成 ほぼ完了 거의_완료"},
	{Review, "review in_review under_review in_code_review code_review ready_for_review pending_review " +
		"awaiting_review needs_review reviewing testing in_testing in_test ready_for_testing ready_for_test " +
		"in_qa qa ready_for_qa verifying in_verification awaiting_verification 评审中 审核中 审查中 審査中 待审核 测试中 レビュー中 " +
		"レビュー待ち テスト中 in_prüfung im_review en_revisión em_revisão en_revue in_revisione на_проверке на_ревью " +
		"검토_중 리뷰_중 pending_approval awaiting_approval pr_open bereit_für_review bereit_zum_review " +
		"fertig_zum_review готово_к_ревью готово_к_проверке готово_к_тестированию listo_para_revisión " +
		"pronto_para_revisão prêt_pour_revue needs_code_review ready_for_code_review being_reviewed up_for_review 待评审"},
	{Done, "closed shipped released merged verified resolved fixed delivered deployed landed " +
		"merged_into_main merged_into_master merged_to_main merged_to_master achevé achevée klart " +
		"passed success succeeded live in_production deployed_to_production implementation_complete " +
		"development_complete fait gotowe hotovo tamamlandı 已实现 対応済み 完了しました 작업_완료 已上线 已发布 対応完了 実装完了 已修复 " +
		"リリース済み 구현_완료 sudah_selesai"},
	{Cancelled, "removed rejected declined withdrawn retired parked deprecated duplicate archived absorbed " +
		"replaced moved will_not_fix not_planned 中止 キャンセル 취소됨 abgebrochen wont_implement not_doing " +
		"nicht_erforderlich verworfen veraltet legacy 已封存 已歸檔 已归档 已作废 已作廢 不再执行 不再執行 " +
		"廃止済み shelved scrapped not_doing_this closed_without_merging no_longer_relevant nicht_mehr_nötig " +
		"ne_sera_pas_fait no_se_hará não_será_feito rinviato не_будет_сделано отклонено geannuleerd " +
		"ertelendi đã_hủy dibatalkan 不做了 搁置 archivé archivée archiviert archivado archivada " +
		"archiviato archiviata arquivado gearchiveerd архивировано アーカイブ済み 보관됨 remplacé ersetzt reemplazado " +
		"sostituito заменено 已取代"},
	{Blocked, "blocked stuck impeded waiting awaiting paused halted interrupted 阻塞 受阻 已阻塞 ブロック中 blockiert " +
		"wartet bloqueado bloqueada bloqué bloquée bloccato заблокировано 차단됨 geblokkeerd " +
		"en_attente_de in_attesa_di zablokowane 被阻塞"},
}

// longest is an upper limit on the length of each word as people write it, in bytes.
const longest = 48

// A dictionary holds the words that all workflows share, in the form that Fold returns.
type dictionary struct {
	words map[string]Status
	// starts are the beginnings of words with several parts, such as "in" for in_progress.
	starts map[string]bool
	stems  []string // the stems of givenUp
}

var made atomic.Pointer[dictionary]

func known() *dictionary {
	d := made.Load()
	if d != nil {
		return d
	}
	d = &dictionary{words: map[string]Status{}, starts: map[string]bool{}}
	for _, word := range finished {
		d.add(Fold(word), Done)
	}
	for _, word := range givenUp.words {
		if needsTarget(word) || strings.HasSuffix(word, " to") { // in "moved to the backlog", the word is "moved"
			continue
		}
		stem, inflects := strings.CutSuffix(word, "*")
		stem = Fold(stem)
		if d.add(stem, Cancelled); inflects {
			d.stems = append(d.stems, stem)
		}
	}
	for _, e := range lexicon {
		for _, word := range strings.Split(e.words, " ") {
			d.add(word, e.is)
		}
	}
	made.Store(d)
	return d
}

func (d *dictionary) add(word string, is Status) {
	d.words[word] = is
	for i := range len(word) {
		if word[i] == '_' {
			d.starts[word[:i]] = true
		}
	}
}

// shared returns the status that a folded word has in all workflows.
func shared(folded string) Status {
	d := known()
	if s := d.words[folded]; s != Unknown {
		return s
	}
	if d.inflects(folded) {
		return Cancelled
	}
	if !combined(folded) {
		return Unknown
	}
	found := Unknown
	for word, s := range d.words {
		if words.SameName(word, folded) && (found == Unknown || s < found) { // regardless of the map's order
			found = s
		}
	}
	return found
}

// inflects reports whether a folded word is a stem of givenUp with an ending: "pospuesto", "annulées".
func (d *dictionary) inflects(folded string) bool {
	for _, stem := range d.stems {
		if rest, ok := strings.CutPrefix(folded, stem); ok && len(rest) <= 6 && !strings.Contains(rest, "_") {
			return true
		}
	}
	return false
}

// combined reports whether a text has accents, or parts of Korean syllables, as separate characters.
func combined(text string) bool {
	for _, r := range text {
		if r >= 0x300 && r < 0x370 || r >= 0x1100 && r < 0x1200 || r == 0x3099 || r == 0x309a {
			return true
		}
	}
	return false
}

package autopilot

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func notMigrated(l *look) {
	d := l.m.cdoc
	if d.Path == transponderPath || !l.m.exists(d.Path) {
		return
	}
	l.tell(sdk.AtLine(d.Path, 1), "", "position is kept in the old "+d.Path+", which no current command reads")
	l.migrate()
}

func waypointLeftBehind(l *look) {
	if l.m.waypoint == nil || l.m.cdoc == nil || l.m.cdoc.Path != transponderPath || !l.m.exists(waypointPath) {
		return
	}
	l.tell(sdk.AtLine(waypointPath, 1), "", "waypoint.md was migrated but not archived")
	if o := l.offer(sdk.Safe, "Move waypoint.md to the archive"); o != nil {
		o.move(waypointPath, l.m.free("archive/waypoint.md"))
		o.forget(waypointPath)
	}
}

func mojibakeText(l *look) {
	docs := [...]*sdk.Document{l.m.cdoc, l.m.waypoint, nil}
	if l.m.hand != nil {
		docs[2] = l.m.hand.doc
	}
	for n, d := range docs {
		if d == nil || n == 1 && d == docs[0] || !d.Readable() {
			continue
		}
		start, end := garbledIn(d.Text)
		if marker, _ := conflict(d.Text); start < 0 || marker >= 0 {
			continue
		}
		l.tell(sdk.AtBytes(d.Path, start, end), "", quote(d.Text[start:end])+" is "+mend(d.Text[start:end])+", decoded with the wrong encoding")
		if o := l.offer(sdk.Review, "Put the characters right"); o != nil {
			rest := d.Text[start:]
			e := o.edit(wire.Replace, d.Path, "", mend(rest), "")
			e.Range.Start, e.Range.End = start, len(d.Text)
		}
	}
}

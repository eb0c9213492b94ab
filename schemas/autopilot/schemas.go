// Package autopilot contains the JSON Schemas of the autopilot workflow. They are string constants instead of
// embedded files, because package embed imports package time, which would add 0.3 MB to a guest.
package autopilot

// Thresholds is the schema of state/thresholds.json. It equals thresholds.schema.json.
const Thresholds = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the thresholds",
  "type": "object",
  "additionalProperties": true,
  "properties": {
    "current_values": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": true,
      "properties": {
        "cost": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0
        },
        "context_percent": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0
        },
        "context": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0
        },
        "variance_percent": {
          "type": [
            "number",
            "null"
          ]
        },
        "variance": {
          "type": [
            "number",
            "null"
          ]
        },
        "error_count": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "errors": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        }
      }
    },
    "levels_triggered": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": true,
      "properties": {
        "cost": {
          "type": [
            "string",
            "null"
          ]
        },
        "context": {
          "type": [
            "string",
            "null"
          ]
        },
        "variance": {
          "type": [
            "string",
            "null"
          ]
        },
        "errors": {
          "type": [
            "string",
            "null"
          ]
        },
        "context_percent": {
          "type": [
            "string",
            "null"
          ]
        },
        "variance_percent": {
          "type": [
            "string",
            "null"
          ]
        },
        "error_count": {
          "type": [
            "string",
            "null"
          ]
        }
      }
    },
    "last_check": {
      "type": [
        "string",
        "null"
      ]
    },
    "triggers": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "properties": {
          "last_triggered": {
            "type": [
              "string",
              "null"
            ]
          },
          "count": {
            "type": "integer",
            "minimum": 0
          },
          "acknowledged": {
            "type": "boolean"
          },
          "session_start": {
            "type": "string"
          },
          "suggested_checkpoint": {
            "type": "boolean"
          }
        }
      }
    }
  }
}
`

// Acknowledgments is the schema of state/acknowledgments.json. It equals acknowledgments.schema.json.
const Acknowledgments = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Acknowledged alerts, their history and the last reset",
  "type": "object",
  "additionalProperties": true,
  "properties": {
    "acknowledgments": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": {
        "type": "object",
        "required": [
          "acknowledged_at"
        ],
        "additionalProperties": true,
        "properties": {
          "acknowledged_at": {
            "type": "string"
          },
          "value_at_acknowledgment": {
            "type": [
              "number",
              "null"
            ]
          },
          "value_at_ack": {
            "type": [
              "number",
              "null"
            ]
          },
          "value": {
            "type": [
              "number",
              "null"
            ]
          },
          "threshold_level": {
            "type": [
              "string",
              "null"
            ]
          },
          "session_id": {
            "type": [
              "string",
              "null"
            ]
          },
          "user_note": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      }
    },
    "acknowledgment_history": {
      "type": [
        "array",
        "null"
      ],
      "items": {
        "type": "object",
        "required": [
          "type",
          "acknowledged_at",
          "reset_at"
        ],
        "additionalProperties": true,
        "properties": {
          "type": {
            "type": "string"
          },
          "acknowledged_at": {
            "type": "string"
          },
          "reset_at": {
            "type": "string"
          },
          "value": {
            "type": [
              "number",
              "null"
            ]
          }
        }
      }
    },
    "last_reset": {
      "type": [
        "string",
        "null"
      ]
    },
    "triggers": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "properties": {
          "last_triggered": {
            "type": [
              "string",
              "null"
            ]
          },
          "count": {
            "type": "integer",
            "minimum": 0
          },
          "acknowledged": {
            "type": "boolean"
          },
          "session_start": {
            "type": "string"
          },
          "suggested_checkpoint": {
            "type": "boolean"
          }
        }
      }
    }
  }
}
`

// Triggers is the schema of trigger documents. It equals triggers.schema.json.
const Triggers = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Checkpoint triggers",
  "type": "object",
  "additionalProperties": true,
  "properties": {
    "triggers": {
      "type": [
        "object",
        "null"
      ],
      "additionalProperties": {
        "type": [
          "object",
          "null"
        ],
        "additionalProperties": true,
        "properties": {
          "last_triggered": {
            "type": [
              "string",
              "null"
            ]
          },
          "count": {
            "type": "integer",
            "minimum": 0
          },
          "acknowledged": {
            "type": "boolean"
          },
          "session_start": {
            "type": "string"
          },
          "suggested_checkpoint": {
            "type": "boolean"
          }
        }
      }
    }
  }
}
`

// Options is the schema of the options. It equals options.schema.json.
const Options = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Options of the autopilot workflow",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "thresholds": {
      "type": "object",
      "additionalProperties": false,
      "description": "limits that replace the defaults",
      "properties": {
        "cost": {
          "type": "array",
          "items": {
            "type": "number"
          },
          "minItems": 3,
          "maxItems": 3,
          "description": "warning, alert, stop"
        },
        "context": {
          "type": "array",
          "items": {
            "type": "number"
          },
          "minItems": 3,
          "maxItems": 3,
          "description": "warning, alert, stop"
        },
        "variance": {
          "type": "array",
          "items": {
            "type": "number"
          },
          "minItems": 3,
          "maxItems": 3,
          "description": "warning, alert, stop"
        },
        "errors": {
          "type": "array",
          "items": {
            "type": "number"
          },
          "minItems": 3,
          "maxItems": 3,
          "description": "warning, alert, stop"
        }
      }
    }
  }
}
`
